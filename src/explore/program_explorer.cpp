#include "program_explorer.h"

#include "saved_exploration.h"

#include <algorithm>
#include <atomic>

namespace heddle::explore {

namespace {

constexpr size_t kMinBatch = 64;
constexpr size_t kMaxBatch = 1024;
constexpr size_t kMinShare = 16; ///< of a batch that is one of several at once
/// Events of a batch, about: more do not stay in the processor's caches.
constexpr uint64_t kBatchEvents = 1 << 16;
/// Runs that look for shared memory before the search begins.
constexpr int kLearningRuns = 16;
/// Work that a kill may cost.
constexpr std::chrono::milliseconds kSaveEvery{1000};

template <typename T> void append(std::vector<std::byte>& bytes, const T& value) {
  auto* first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof(T));
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
    : executor_(session), plan_(std::move(plan)), options_(std::move(options)),
      search_(options_.search), savedAt_(std::chrono::steady_clock::now()) {
  plan_.plan.strategy = StrategyKind::Prefix;
  plan_.plan.flags |= kPlanRecord | kPlanExplore | kPlanHalves;
  plan_.plan.points = PointSet::Listed;
  knowledge_.sites.insert(options_.sites.begin(), options_.sites.end());
}

std::unique_ptr<Batch> ProgramExplorer::makeBatch(std::vector<Task> tasks) {
  auto batch = std::make_unique<Batch>();
  batch->events = std::move(spareEvents_);
  std::vector<std::vector<Choice>> schedules;
  for (const Task& task : tasks)
    schedules.push_back(task.schedule);
  batch->tasks = std::move(tasks);
  batch->knownThreads = knowledge_.threads.paths().size();
  batch->plan = plan_;
  batch->plan.plan.firstSeed = nextSeed_;
  batch->plan.plan.runCount = schedules.size();
  batch->plan.prefixes = writePrefixes(knowledge_.threads.paths(), schedules, nextSeed_);
  batch->plan.listedSites.assign(knowledge_.sites.begin(), knowledge_.sites.end());
  nextSeed_ += schedules.size();
  return batch;
}

void ProgramExplorer::noteFailure(const Batch& batch, const DecodedRun& decoded,
                                  const RunResult& result) {
  bool isBadExit =
      result.outcome == Outcome::Finished && result.exitStatus != plan_.plan.expectedExit;
  if (decoded.failure == FailureKind::None && !isBadExit)
    return;
  FailureKind kind = isBadExit ? FailureKind::ExitStatus : decoded.failure;
  const SiteEntry* entry = batch.sites->find(decoded.failureSite);
  SiteIdentity site = entry ? entry->identity : SiteIdentity::None;
  for (FoundFailure& known : report_.failures)
    if (known.kind == kind && known.site == site) {
      ++known.classes;
      return;
    }
  FoundFailure failure{kind, site, 1, report_.runs, {}, orderedPairs(decoded.run)};
  for (const Operation& operation : decoded.run.operations)
    if (!operation.isHalf)
      failure.schedule.push_back({operation.thread, operation.choice});
  foundWanted_ |= !options_.isWanted || options_.isWanted(failure, *batch.sites);
  report_.catalog = batch.sites;
  report_.failures.push_back(std::move(failure));
}

/// What follows from runs, by as many threads as there are jobs.
std::vector<Analysis> ProgramExplorer::analyse(const Batch& batch,
                                               const std::vector<DecodedRun>& runs) const {
  std::vector<Analysis> analyses(runs.size());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < runs.size(); i = next++)
      analyses[i] = search_.analyse(batch.tasks[i].number, runs[i].run);
  };
  std::vector<std::thread> helpers;
  for (size_t i = 1; i < std::min(options_.jobs, runs.size() / kMinShare); ++i)
    helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers)
    helper.join();
  return analyses;
}

void ProgramExplorer::takeRun(const Batch& batch, size_t number, DecodedRun& decoded,
                              Analysis analysis) {
  const Task& task = batch.tasks[number];
  if (decoded.run.ending == Ending::Diverged && !task.isProbe && decoded.caveats.empty() &&
      report_.caveats.empty())
    report_.caveats.insert("a run did not do what an earlier one with the same steps did");
  if (!task.isProbe || decoded.run.ending != Ending::Diverged)
    report_.caveats.merge(decoded.caveats);
  search_.report(task.number, decoded.run, std::move(analysis));
  noteFailure(batch, decoded, batch.results[number]);
}

bool ProgramExplorer::takeIn(const Batch& batch) {
  RunDecoder decoder(knowledge_, *batch.sites, batch.knownThreads);
  std::span<const TraceEvent> events = batch.events;
  eventsPerRun_ = events.size() / std::max<size_t>(batch.results.size(), 1);
  std::set<uint64_t> newSites;
  bool isSettled = true;
  std::vector<DecodedRun> runs;
  for (const RunResult& result : batch.results) {
    runs.push_back(decoder.decode(events.subspan(0, result.events), result));
    events = events.subspan(result.events);
    newSites.merge(runs.back().newSites);
    isSettled &= newSites.empty() && !runs.back().foundObjects;
  }
  knowledge_.sites.merge(newSites);
  if (!isSettled) {
    for (const RunResult& result : batch.results)
      countRun(result);
    return false;
  }
  auto analyses = analyse(batch, runs);
  for (size_t i = 0; i < runs.size(); ++i) {
    countRun(batch.results[i]);
    if (runs[i].isOutOfOrder)
      again_.push_back(batch.tasks[i]);
    else
      takeRun(batch, i, runs[i], std::move(analyses[i]));
  }
  return true;
}

void ProgramExplorer::countRun(const RunResult& result) {
  ++report_.runs;
  if (options_.onRun)
    options_.onRun(result);
}

/// What a run without a prefix shares is known before the search begins.
Status ProgramExplorer::learnSharing() {
  for (int i = 0; i < kLearningRuns; ++i) {
    auto batch = makeBatch(std::vector<Task>(1));
    executor_.execute(*batch);
    if (!batch->status)
      return batch->status;
    if (batch->results.empty())
      break;
    findFocus(*batch->sites);
    size_t before = knowledge_.sites.size();
    RunDecoder decoder(knowledge_, *batch->sites, batch->knownThreads);
    DecodedRun decoded = decoder.decode(batch->events, batch->results[0]);
    countRun(batch->results[0]);
    knowledge_.sites.merge(decoded.newSites);
    if (knowledge_.sites.size() == before && !decoded.foundObjects)
      break;
    if (report_.wasResumed)
      beginAnew();
  }
  return Success{};
}

void ProgramExplorer::findFocus(const SiteCatalog& sites) {
  if (!options_.isFocus || !options_.search.focus.empty())
    return;
  for (const SiteEntry& site : sites.entries())
    if (options_.isFocus(site))
      options_.search.focus.insert(raw(site.identity));
  search_.setFocus(options_.search.focus);
}

bool ProgramExplorer::isOver() const {
  if (search_.isTooLarge() || (options_.runs != 0 && report_.runs >= options_.runs))
    return true;
  if (options_.endsAtFailure && foundWanted_)
    return true;
  return options_.mustStop && options_.mustStop(report_.runs, search_.counters());
}

size_t ProgramExplorer::batchSize() const {
  size_t limit =
      std::clamp<size_t>(kBatchEvents / std::max<uint64_t>(eventsPerRun_, 1), kMinBatch, kMaxBatch);
  size_t most = std::clamp<size_t>(search_.counters().runs, kMinBatch, limit);
  if (options_.runs != 0)
    most = std::min<size_t>(most, options_.runs - std::min(options_.runs, report_.runs));
  if (options_.jobs > 1) // leave some for the others
    most = std::min(most, std::max(kMinShare, search_.branches() / (options_.jobs + 1)));
  return most;
}

std::unique_ptr<Batch> ProgramExplorer::nextBatch() {
  std::vector<Task> tasks = std::move(again_);
  again_.clear();
  while (tasks.size() < batchSize()) {
    auto task = search_.next();
    if (!task)
      break;
    tasks.push_back(std::move(*task));
  }
  return tasks.empty() ? nullptr : makeBatch(std::move(tasks));
}

void ProgramExplorer::beginAnew() {
  search_ = Search(options_.search);
  again_.clear();
  report_.failures.clear();
  report_.caveats.clear();
  foundWanted_ = false;
  ++report_.reopened;
}

bool ProgramExplorer::goOnAfter(const Batch& batch) {
  bool isSettled = takeIn(batch);
  if (!isSettled)
    beginAnew();
  saveSometimes();
  return !isSettled || batch.results.size() == batch.tasks.size(); // else out of time
}

Status ProgramExplorer::exploreAlone() {
  while (!isOver()) {
    auto batch = nextBatch();
    hasEnded_ = !batch;
    if (!batch)
      break;
    executor_.execute(*batch);
    if (!batch->status)
      return batch->status;
    if (!goOnAfter(*batch))
      break;
    spareEvents_ = std::move(batch->events);
  }
  return Success{};
}

Status ProgramExplorer::exploreByWorkers() {
  BatchWorkers workers(options_.jobs, options_.sessions);
  bool isEnding = false;
  uint64_t reopened = report_.reopened;
  for (;;) {
    while (!isEnding && !isOver() && workers.onTheirWay() < workers.wanted()) {
      auto batch = nextBatch();
      if (!batch)
        break;
      workers.give(std::move(batch));
    }
    if (workers.onTheirWay() == 0)
      return Success{};
    auto batch = workers.take();
    if (!batch->status)
      return batch->status;
    isEnding = !goOnAfter(*batch) || isEnding;
    spareEvents_ = std::move(batch->events);
    if (report_.reopened == reopened)
      continue;
    reopened = report_.reopened;
    while (workers.onTheirWay() != 0) // of the search that was given up
      workers.take();
  }
}

void ProgramExplorer::saveNow() const {
  if (!options_.file.empty())
    saveExploration(options_.file, options_.key, {search_.save(), knowledge_, report_});
}

void ProgramExplorer::saveSometimes() {
  auto now = std::chrono::steady_clock::now();
  if (options_.file.empty() || now - savedAt_ < kSaveEvery)
    return;
  savedAt_ = now;
  saveNow();
}

Status ProgramExplorer::resume() {
  if (!options_.resumes || options_.file.empty())
    return Success{};
  auto saved = loadExploration(options_.file, options_.key);
  if (!saved)
    return saved.error();
  if (!*saved)
    return Success{};
  auto search = Search::resume(options_.search, (*saved)->search);
  if (!search)
    return search.error();
  search_ = std::move(*search);
  knowledge_ = std::move((*saved)->knowledge);
  report_ = std::move((*saved)->report);
  report_.wasResumed = true;
  foundWanted_ = !report_.failures.empty() && !options_.isWanted;
  return Success{};
}

Result<ExplorationReport> ProgramExplorer::explore() {
  if (Status status = resume(); !status)
    return status.error();
  if (Status status = learnSharing(); !status)
    return status.error();
  bool isAlone = options_.jobs < 2 || !options_.sessions;
  if (Status status = isAlone ? exploreAlone() : exploreByWorkers(); !status)
    return status.error();
  saveNow();
  takeStock();
  return report_;
}

Status ProgramExplorer::proceed(uint64_t runs, uint64_t wallNanos) {
  plan_.plan.wallNanos = wallNanos;
  options_.runs = report_.runs + runs;
  Status status = exploreAlone();
  takeStock();
  return status;
}

void ProgramExplorer::takeStock() {
  report_.isFinished = search_.isFinished();
  report_.counters = search_.counters();
  report_.sites.assign(knowledge_.sites.begin(), knowledge_.sites.end());
  report_.threads = knowledge_.threads.paths();
}

} // namespace heddle::explore
