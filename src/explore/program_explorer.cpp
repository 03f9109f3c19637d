#include "program_explorer.h"

#include <algorithm>
#include <cstring>

namespace heddle::explore {

namespace {

constexpr size_t kMinBatch = 64;
constexpr size_t kMaxBatch = 1024;
/// Attempts at a batch whose trace does not fit to its results: the program was started anew.
constexpr int kAttempts = 4;
/// Runs that look for shared memory before the search begins.
constexpr int kLearningRuns = 16;

template <typename T> void append(std::vector<std::byte>& bytes, const T& value) {
  auto* first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof(T));
}

bool isSecondHalf(OperationKind kind) {
  return kind == OperationKind::BarrierDepart || kind == OperationKind::OnceEnd ||
         kind == OperationKind::Free || kind == OperationKind::Fail;
}

} // namespace

std::vector<std::byte> writePrefixes(const std::vector<ThreadPath>& threads,
                                     const std::vector<std::vector<Choice>>& schedules,
                                     uint64_t firstSeed) {
  std::vector<std::byte> bytes;
  append(bytes, PrefixHeader{static_cast<uint32_t>(threads.size()),
                             static_cast<uint32_t>(schedules.size()), firstSeed});
  for (ThreadPath path : threads)
    append(bytes, path);
  uint32_t offset = 0;
  for (const auto& schedule : schedules) {
    append(bytes, offset);
    offset += static_cast<uint32_t>(schedule.size());
  }
  append(bytes, offset);
  for (const auto& schedule : schedules)
    for (const Choice& choice : schedule)
      append(bytes, PrefixStep{static_cast<uint16_t>(choice.thread),
                               static_cast<uint16_t>(choice.choice)});
  return bytes;
}

ProgramExplorer::ProgramExplorer(Session& session, PlanRequest plan, ExplorationOptions options)
    : session_(session), plan_(std::move(plan)), options_(std::move(options)),
      search_(options_.search) {
  plan_.plan.strategy = StrategyKind::Prefix;
  plan_.plan.flags |= kPlanRecord | kPlanExplore | kPlanHalves;
  plan_.plan.points = PointSet::Listed;
}

Status ProgramExplorer::executeOnce(Batch& batch, bool& isWhole) {
  std::vector<std::vector<Choice>> schedules;
  for (const Task& task : batch.tasks)
    schedules.push_back(task.schedule);
  batch.results.clear();
  batch.events.clear();
  plan_.plan.firstSeed = nextSeed_;
  plan_.plan.runCount = schedules.size();
  plan_.prefixes = writePrefixes(knowledge_.threads.paths(), schedules, nextSeed_);
  plan_.listedSites.assign(knowledge_.sites.begin(), knowledge_.sites.end());
  nextSeed_ += schedules.size();
  auto report = session_.execute(plan_, [&](std::span<const TraceEvent> events) {
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

Status ProgramExplorer::execute(Batch& batch) {
  bool isWhole = false;
  for (int i = 0; i < kAttempts && !isWhole; ++i)
    if (Status status = executeOnce(batch, isWhole); !status)
      return status;
  if (!isWhole)
    return Error{"the program could not be kept running for a batch of runs",
                 ErrorKind::LostControl};
  if (sites_ && sitesOf_ == session_.processId())
    return Success{};
  auto sites = session_.sites();
  if (!sites)
    return sites.error();
  sites_ = *sites;
  sitesOf_ = session_.processId();
  return Success{};
}

void ProgramExplorer::noteFailure(const DecodedRun& decoded, const RunResult& result) {
  bool isBadExit =
      result.outcome == Outcome::Finished && result.exitStatus != plan_.plan.expectedExit;
  if (decoded.failure == FailureKind::None && !isBadExit)
    return;
  FailureKind kind = isBadExit ? FailureKind::ExitStatus : decoded.failure;
  const SiteEntry* entry = sites_->find(decoded.failureSite);
  SiteIdentity site = entry ? entry->identity : SiteIdentity::None;
  for (FoundFailure& known : report_.failures)
    if (known.kind == kind && known.site == site) {
      ++known.classes;
      return;
    }
  FoundFailure failure{kind, site, 1, report_.runs, {}};
  for (const Operation& operation : decoded.run.operations)
    if (!isSecondHalf(operation.kind))
      failure.schedule.push_back({operation.thread, operation.choice});
  report_.failures.push_back(std::move(failure));
}

void ProgramExplorer::takeRun(const Task& task, DecodedRun& decoded, const RunResult& result) {
  if (decoded.run.ending == Ending::Diverged && !task.isProbe && decoded.caveats.empty() &&
      report_.caveats.empty())
    report_.caveats.insert("a run did not do what an earlier one with the same steps did");
  report_.caveats.merge(decoded.caveats);
  search_.report(task.number, decoded.run);
  noteFailure(decoded, result);
}

bool ProgramExplorer::takeIn(const Batch& batch) {
  size_t known = knowledge_.threads.paths().size();
  RunDecoder decoder(knowledge_, *sites_, known);
  std::span<const TraceEvent> events = batch.events;
  std::set<uint64_t> newSites;
  for (size_t i = 0; i < batch.results.size(); ++i) {
    const RunResult& result = batch.results[i];
    DecodedRun decoded = decoder.decode(events.subspan(0, result.events), result);
    events = events.subspan(result.events);
    ++report_.runs;
    newSites.merge(decoded.newSites);
    if (!newSites.empty())
      continue;
    if (decoded.isOutOfOrder) {
      again_.push_back(batch.tasks[i]);
      continue;
    }
    takeRun(batch.tasks[i], decoded, result);
  }
  bool isSettled = newSites.empty();
  knowledge_.sites.merge(newSites);
  return isSettled;
}

/// What a run without a prefix shares is known before the search begins.
Status ProgramExplorer::learnSharing() {
  for (int i = 0; i < kLearningRuns; ++i) {
    Batch batch;
    batch.tasks.resize(1);
    if (Status status = execute(batch); !status)
      return status.error();
    if (batch.results.empty())
      break;
    size_t before = knowledge_.sites.size();
    RunDecoder decoder(knowledge_, *sites_, knowledge_.threads.paths().size());
    DecodedRun decoded = decoder.decode(batch.events, batch.results[0]);
    ++report_.runs;
    knowledge_.sites.merge(decoded.newSites);
    if (knowledge_.sites.size() == before)
      break;
  }
  return Success{};
}

bool ProgramExplorer::isOver() const {
  if (search_.isTooLarge() || (options_.runs != 0 && report_.runs >= options_.runs))
    return true;
  if (options_.endsAtFailure && !report_.failures.empty())
    return true;
  return options_.mustStop && options_.mustStop(report_.runs, search_.counters());
}

size_t ProgramExplorer::batchSize() const {
  size_t most = std::clamp<size_t>(search_.counters().runs, kMinBatch, kMaxBatch);
  if (options_.runs != 0)
    most = std::min<size_t>(most, options_.runs - std::min(options_.runs, report_.runs));
  return most;
}

Result<ExplorationReport> ProgramExplorer::explore() {
  if (Status status = learnSharing(); !status)
    return status.error();
  while (!isOver()) {
    Batch batch;
    batch.tasks = std::move(again_);
    again_.clear();
    while (batch.tasks.size() < batchSize()) {
      auto task = search_.next();
      if (!task)
        break;
      batch.tasks.push_back(std::move(*task));
    }
    if (batch.tasks.empty())
      break;
    if (Status status = execute(batch); !status)
      return status.error();
    bool isSettled = takeIn(batch);
    if (isSettled && batch.results.size() < batch.tasks.size())
      break; // out of time
    if (isSettled)
      continue;
    search_ = Search(options_.search);
    again_.clear();
    report_.failures.clear();
    report_.caveats.clear();
    ++report_.reopened;
  }
  report_.isFinished = search_.isFinished();
  report_.counters = search_.counters();
  report_.sites.assign(knowledge_.sites.begin(), knowledge_.sites.end());
  report_.threads = knowledge_.threads.paths();
  return report_;
}

} // namespace heddle::explore
