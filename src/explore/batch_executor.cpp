#include "batch_executor.h"

namespace heddle::explore {

namespace {

/// Attempts at a batch whose trace does not fit to its results: the program was started anew.
constexpr int kAttempts = 4;

} // namespace

Status BatchExecutor::executeOnce(Batch& batch, bool& isWhole) {
  batch.results.clear();
  batch.events.clear();
  auto report = session_.execute(batch.plan, [&](std::span<const TraceEvent> events) {
    batch.events.insert(batch.events.end(), events.begin(), events.end());
  });
  if (!report)
    return report.error();
  if (report->stop == BatchStop::Failure && report->last)
    return Error{"control of the program was lost: " + report->last->message,
                 ErrorKind::LostControl};
  uint64_t total = 0;
  for (const RunResult& result : report->results)
    total += result.events;
  batch.results = std::move(report->results);
  isWhole = total == batch.events.size();
  return Success{};
}

Status BatchExecutor::executeAll(Batch& batch) {
  bool isWhole = false;
  for (int i = 0; i < kAttempts && !isWhole; ++i)
    if (Status status = executeOnce(batch, isWhole); !status)
      return status;
  if (!isWhole)
    return Error{"the program could not be kept running for a batch of runs",
                 ErrorKind::LostControl};
  if (!sites_ || sitesOf_ != session_.processId()) {
    auto sites = session_.sites();
    if (!sites)
      return sites.error();
    sites_ = *sites;
    sitesOf_ = session_.processId();
  }
  batch.sites = sites_;
  return Success{};
}

void BatchExecutor::execute(Batch& batch) { batch.status = executeAll(batch); }

BatchWorkers::BatchWorkers(size_t workers, SessionFactory factory) {
  for (size_t i = 0; i < workers; ++i)
    threads_.emplace_back([this, factory] { work(factory); });
}

BatchWorkers::~BatchWorkers() {
  {
    std::lock_guard lock(mutex_);
    isEnding_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_)
    thread.join();
}

void BatchWorkers::give(std::unique_ptr<Batch> batch) {
  auto job = std::make_shared<Job>();
  job->batch = std::move(batch);
  std::lock_guard lock(mutex_);
  waiting_.push_back(job);
  order_.push_back(job);
  changed_.notify_all();
}

std::unique_ptr<Batch> BatchWorkers::take() {
  std::unique_lock lock(mutex_);
  auto job = order_.front();
  order_.pop_front();
  changed_.wait(lock, [&] { return job->isDone; });
  return std::move(job->batch);
}

void BatchWorkers::work(const SessionFactory& factory) {
  auto session = factory(); // by the thread that uses it
  std::optional<BatchExecutor> executor;
  if (session)
    executor.emplace(*session);
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return isEnding_ || !waiting_.empty(); });
    if (waiting_.empty())
      return;
    auto job = waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    if (executor)
      executor->execute(*job->batch);
    else
      job->batch->status = session.error();
    lock.lock();
    job->isDone = true;
    changed_.notify_all();
  }
}

} // namespace heddle::explore
