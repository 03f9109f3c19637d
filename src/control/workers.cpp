#include "control/workers.h"

namespace heddle {

Workers::Workers(std::shared_ptr<const Program> program, const SessionOptions& options,
                 unsigned count)
    : program_(std::move(program)), options_(options), sessions_(std::max(count, 1u)) {
  for (size_t i = 0; i < sessions_.size(); ++i)
    threads_.emplace_back([this, i] { work(i); });
}

Workers::~Workers() {
  {
    std::lock_guard lock(mutex_);
    quit_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_)
    thread.join();
}

Status Workers::run(size_t count, const Job& job) {
  std::unique_lock lock(mutex_);
  job_ = &job;
  next_ = 0;
  count_ = count;
  changed_.notify_all();
  changed_.wait(lock, [this] { return busy_ == 0 && (next_ == count_ || error_); });
  job_ = nullptr;
  if (error_)
    return *error_;
  return Success{};
}

void Workers::visitSessions(const std::function<void(Session&)>& visit) {
  std::lock_guard lock(mutex_);
  for (std::optional<Session>& session : sessions_)
    if (session)
      visit(*session);
}

void Workers::work(size_t worker) {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return quit_ || (job_ && next_ < count_ && !error_); });
    if (quit_)
      break;
    size_t index = next_++;
    const Job& job = *job_;
    ++busy_;
    lock.unlock();
    std::optional<Error> error;
    if (!sessions_[worker]) {
      auto session = Session::create(program_, options_);
      if (session)
        sessions_[worker].emplace(std::move(*session));
      else
        error = session.error();
    }
    if (!error)
      job(index, *sessions_[worker]);
    lock.lock();
    if (error && !error_)
      error_ = error;
    --busy_;
    changed_.notify_all();
  }
  // Here, because the program must not outlive the thread that started it.
  lock.unlock();
  sessions_[worker].reset();
}

} // namespace heddle
