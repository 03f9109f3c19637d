#include "control/plan_runner.h"

#include "control/interrupt.h"
#include "control/unseen_functions.h"

#include <algorithm>
#include <csignal>

namespace heddle {
namespace {

constexpr uint64_t kWaitNanos = 20'000'000;
/// Somebody waits for the plan to end when it is cancelled.
constexpr uint64_t kCancelNanos = 2'000'000;
/// While recording: the ring holds a million events, so this is often enough.
constexpr uint64_t kDrainNanos = 500'000;
constexpr int kAnswerMilliseconds = 1000;
/// Runs that are shorter end by themselves after the end of the time; a longer one is killed.
constexpr auto kOverrun = std::chrono::milliseconds(200);
/// Events that are handed over before somebody looks at the clock: an analysis takes its time.
constexpr uint64_t kEventsAtOnce = 8'192;

/// How much longer a program takes from one scheduling point to the next when its accesses are
/// looked at in between.
double slowdownOf(const Plan& plan) {
  constexpr double kEveryAccess = 30;
  return plan.flags & (kPlanLearn | kPlanRecord | kPlanStacks) ? kEveryAccess : 1;
}

bool records(const Plan& plan) { return (plan.flags & (kPlanRecord | kPlanRecordListed)) != 0; }

} // namespace

PlanRunner::PlanRunner(std::shared_ptr<const Program> program, const SessionOptions& options,
                       BatchMemory memory, Scratch scratch)
    : program_(std::move(program)), unseenNames_(unseenNames(program_->executable)),
      options_(options), memory_(std::move(memory)), scratch_(std::move(scratch)),
      watchdog_(options.hangCpuSeconds, options.hangWallSeconds), isolation_(options.isolation),
      reason_(options.isolationReason), donorPool_(options.donorPool) {}

Result<BatchReport> PlanRunner::execute(const PlanRequest& request, const EventSink& sink,
                                        bool wantLast) {
  BatchReport report;
  PlanRequest part = request;
  auto start = Watchdog::Clock::now();
  deadline_.reset();
  if (request.plan.wallNanos != 0)
    deadline_ = start + std::chrono::nanoseconds(request.plan.wallNanos) + kOverrun;
  while (report.results.size() < request.plan.runCount) {
    uint64_t done = report.results.size();
    if (mustStop()) {
      report.interrupted = true;
      break;
    }
    if (request.plan.wallNanos != 0) {
      uint64_t used = static_cast<uint64_t>((Watchdog::Clock::now() - start).count());
      if (used >= request.plan.wallNanos) {
        report.stop = BatchStop::WallTime;
        break;
      }
      part.plan.wallNanos = request.plan.wallNanos - used;
    }
    part.plan.firstSeed = request.plan.firstSeed + done;
    uint64_t most = isolation_ == Isolation::Exec ? 1 : kMaxBatchRuns;
    part.plan.runCount = std::min(request.plan.runCount - done, most);
    bool inWindows = part.plan.windowLength != 0 && part.plan.strategy != StrategyKind::Replay;
    part.plan.isolation =
        inWindows && isolation_ == Isolation::InPlace ? Isolation::Fork : isolation_;
    report.stop = BatchStop::None;
    if (Status status = executePart(part, sink, wantLast, report); !status)
      return status.error();
    if (report.stop == BatchStop::Failure || report.stop == BatchStop::Meeting ||
        report.stop == BatchStop::WallTime || report.interrupted ||
        (request.plan.flags & kPlanDescribeOnly))
      break;
  }
  return report;
}

Status PlanRunner::executePart(PlanRequest& part, const EventSink& sink, bool wantLast,
                               BatchReport& report) {
  part.plan.donorPool = donorPool_;
  part.unseenNames = unseenNames_;
  if (!options_.liveOutput)
    part.plan.flags |= kPlanCapture;
  if (Status status = handOver(part); !status)
    return status;
  WaitEnd end = waitForBatch(sink, part);
  collectResults(report);
  switch (end) {
  case WaitEnd::Done:
    return finishPart(part, wantLast, report);
  case WaitEnd::Interrupted:
    report.interrupted = true;
    endProcess();
    return Success{};
  case WaitEnd::TimeUp:
    report.stop = BatchStop::WallTime;
    report.killed = true;
    if (part.saysWhere && report.results.empty()) {
      askWhere();
      report.place = placeOf(lostRecord(Outcome::NotRun, part.plan.firstSeed));
    }
    endProcess();
    return Success{};
  case WaitEnd::ProcessEnded:
    return handleDeath(part, report);
  case WaitEnd::Computes:
  case WaitEnd::Waits:
    handleSilence(part, end, report);
    return Success{};
  }
  return Success{};
}

Status PlanRunner::handOver(PlanRequest& part) {
  bool fresh = !process_ || isolation_ == Isolation::Exec;
  if (fresh) {
    endProcess();
    catalog_.reset();
    memory_.resetForProcess();
    scratch_.renew();
    if (isolation_ != Isolation::Exec)
      part.plan.flags |= kPlanDumpSites;
  }
  plansInProcess_ = fresh ? 1 : plansInProcess_ + 1;
  scratch_.limitOutput();
  if (Status status = memory_.writePlan(part); !status)
    return status;
  // A new process finds its first plan ready; one that stops at Idle first is served there.
  memory_.setPhase(Phase::PlanReady);
  if (!fresh)
    return Success{};
  SpawnSetup setup;
  setup.batch = memory_.descriptor();
  setup.input = scratch_.input();
  setup.output = options_.liveOutput ? -1 : scratch_.output();
  setup.temporary = scratch_.temporary();
  setup.bindNow = bindsNow();
  auto process = Process::spawn(*program_, setup);
  if (!process)
    return process.error();
  process_.emplace(std::move(*process));
  watchdog_.restart(patienceFor(part));
  return Success{};
}

bool PlanRunner::isPastDeadline() const { return deadline_ && Watchdog::Clock::now() > *deadline_; }

bool PlanRunner::mustStop() const { return interrupted() || (cancel_ && cancel_->load()); }

Progress PlanRunner::progress() const {
  const BatchHeader& header = memory_.header();
  return {header.phase, header.runsDone, header.currentRun, header.currentSteps, header.pid};
}

SessionNotes PlanRunner::notes() const {
  const ProgramNotes& seen = memory_.header().notes;
  SessionNotes notes;
  notes.endOfInput = seen.endOfInput != 0;
  notes.ownName = seen.ownName != 0;
  for (uint32_t i = 0; i < std::min(uint32_t{seen.fileCount}, kNotedFiles); ++i)
    notes.files.push_back(boundedText(seen.files[i], kNotePathBytes));
  return notes;
}

double PlanRunner::patienceFor(const PlanRequest& part) const {
  return part.silenceSeconds != 0 ? part.silenceSeconds / options_.hangCpuSeconds
                                  : slowdownOf(part.plan);
}

PlanRunner::WaitEnd PlanRunner::waitForBatch(const EventSink& sink, const PlanRequest& part) {
  bool recording = records(part.plan);
  RingReader ring(memory_);
  // Without a sink the ring must still be emptied: a full one blocks the program.
  EventSink target = sink ? sink : [](std::span<const Event>) {};
  watchdog_.restart(patienceFor(part));
  for (;;) {
    Phase phase = memory_.phase();
    uint64_t drained = recording ? ring.drain(target, kEventsAtOnce) : 0;
    if (phase == Phase::Done && (drained == 0 || isPastDeadline() || mustStop())) {
      ring.discard(); // what there was no time for: the run has its result all the same
      return WaitEnd::Done;
    }
    if (phase == Phase::Idle)
      memory_.setPhase(Phase::PlanReady);
    if (mustStop())
      return WaitEnd::Interrupted;
    if (isPastDeadline())
      return WaitEnd::TimeUp;
    if (drained == 0 && process_->ended())
      return memory_.phase() == Phase::Done ? WaitEnd::Done : WaitEnd::ProcessEnded;
    Silence silence = watchdog_.observe(progress(), process_->pid());
    if (silence != Silence::None && drained == 0)
      return silence == Silence::Computes ? WaitEnd::Computes : WaitEnd::Waits;
    if (drained == 0)
      memory_.waitForPhaseChange(memory_.phase(), recording ? kDrainNanos
                                                  : cancel_ ? kCancelNanos
                                                            : kWaitNanos);
  }
}

void PlanRunner::collectResults(BatchReport& report) {
  auto results = memory_.results(memory_.header().runsDone);
  report.results.insert(report.results.end(), results.begin(), results.end());
  // A process that restores its memory keeps the stacks of its first snapshot: see adaptIsolation.
  if (isolation_ == Isolation::InPlace)
    return;
  for (const RunResult& result : results)
    donorPool_ = std::max(donorPool_, result.peakThreads);
}

Status PlanRunner::finishPart(const PlanRequest& part, bool wantLast, BatchReport& report) {
  uint64_t done = memory_.header().runsDone;
  report.stop = memory_.header().stop;
  bool last = !report.results.empty() && done != 0;
  bool stopsThere = report.stop == BatchStop::Failure || report.stop == BatchStop::Meeting;
  if (last && (wantLast || stopsThere))
    report.last = readRecord(report.results.back());
  if (isolation_ == Isolation::Exec && !isPastDeadline())
    process_->waitForEnd(kAnswerMilliseconds);
  bool described = (part.plan.flags & kPlanDescribeOnly) != 0;
  // A failing run may have left behind what the next one must not see.
  bool spoiled = isolation_ == Isolation::InPlace && last &&
                 (report.results.back().flags & kResultNotRestorable);
  if ((report.stop == BatchStop::NeedExec && isolation_ != Isolation::Exec) || spoiled)
    return adaptIsolation(part, done, report);
  if (done == 0 && report.stop != BatchStop::WallTime && !described)
    return Error{"the runtime in the program ended a batch without a run: " + detailMessage(),
                 ErrorKind::Internal};
  return Success{};
}

Status PlanRunner::adaptIsolation(const PlanRequest& part, uint64_t done,
                                  const BatchReport& report) {
  std::string why = detailMessage();
  endProcess();
  uint32_t peak = done != 0 ? report.results.back().peakThreads : 0;
  if (peak > part.plan.donorPool) {
    donorPool_ = std::max(donorPool_, peak * 2);
    return Success{};
  }
  if (options_.isolationFixed) {
    if (done != 0)
      return Success{};
    return Error{"the program cannot be run with --isolation=" +
                     std::string(isolationName(isolation_)) + (why.empty() ? "" : ": " + why) +
                     "; leave the option out, or use a slower one (inplace, fork, exec)",
                 ErrorKind::LostControl};
  }
  isolation_ = isolation_ == Isolation::InPlace ? Isolation::Fork : Isolation::Exec;
  reason_ = why.empty() ? "the program does what restoring its memory cannot undo" : why;
  return Success{};
}

Status PlanRunner::handleDeath(const PlanRequest& part, BatchReport& report) {
  const BatchHeader& header = memory_.header();
  std::string refusal = boundedText(header.startupError, kMessageBytes);
  std::string how = describeWaitStatus(process_->ended().value_or(0));
  Phase phase = memory_.phase();
  uint64_t seed = part.plan.firstSeed + header.runsDone;
  RunRecord record = lostRecord(Outcome::Died, seed);
  endProcess();
  if (!refusal.empty())
    return Error{refusal, ErrorKind::LostControl};
  bool started = plansInProcess_ > 1 || (phase != Phase::Starting && phase != Phase::PlanReady);
  if (!started && bindsNow()) { // a symbol may be missing that the program never uses
    bindNow_ = false;
    return Success{};
  }
  if (!started)
    return Error{"the program " + how + " before it reached main" +
                     (record.output.empty() ? "; run it without heddle to see why"
                                            : "; its output was:\n" + record.output),
                 ErrorKind::LostControl};
  ++deaths_;
  bool again = diedAtSeed_ == seed && diedBefore_;
  diedAtSeed_ = seed;
  diedBefore_ = true;
  if (!again && deaths_ <= options_.restarts)
    return Success{};
  record.message = "the program " + how + " outside heddle's control in the run with seed " +
                   std::to_string(seed);
  report.results.push_back(record.result);
  report.last = std::move(record);
  report.stop = BatchStop::Failure;
  diedBefore_ = false;
  return Success{};
}

void PlanRunner::handleSilence(const PlanRequest& part, WaitEnd end, BatchReport& report) {
  askWhere();
  uint64_t seed = part.plan.firstSeed + memory_.header().runsDone;
  RunRecord record = lostRecord(Outcome::LostControl, seed);
  report.silent = end == WaitEnd::Computes;
  record.message = describeSilence(record, report.silent);
  endProcess();
  report.results.push_back(record.result);
  report.last = std::move(record);
  report.stop = BatchStop::Failure;
}

void PlanRunner::askWhere() {
  BatchHeader& header = memory_.header();
  pid_t pid = static_cast<pid_t>(header.pid);
  if (pid <= 0)
    return; // the runtime has not started: nobody would answer
  header.dumpRequest = 1;
  ::kill(pid, kWatchdogSignal);
  for (int waited = 0; waited < kAnswerMilliseconds; waited += 10) {
    if (header.dumpRequest != 1 || memory_.phase() == Phase::Done || process_->waitForEnd(10))
      return;
  }
}

std::string PlanRunner::describeSilence(const RunRecord& record, bool computes) const {
  if (memory_.header().pid == 0)
    return computes ? "the program computes without an end before it reaches main"
                    : "the program waits without an end before it reaches main";
  char seconds[32];
  double limit = computes ? options_.hangCpuSeconds : options_.hangWallSeconds;
  snprintf(seconds, sizeof(seconds), "%g", limit);
  std::string thread = record.thread == ThreadIndex::None
                           ? "a thread"
                           : "thread T" + std::to_string(raw(record.thread));
  std::string text = thread + (computes ? " has run for " : " has waited for ") + seconds +
                     " s without a scheduling point";
  const SiteEntry* exact = record.siteEntry(record.site);
  if (const SiteEntry* site = exact ? exact : lastPlaceOf(record))
    text += (exact ? " in " : ", after ") + site->function + " (" + site->file + ":" +
            std::to_string(site->line) + ")";
  if (!record.message.empty())
    text += ": " + record.message;
  if (!computes)
    text += "; a server that waits for clients ends well with --until-idle, and --wait-seconds "
            "gives others more time";
  return text;
}

RunRecord PlanRunner::lostRecord(Outcome outcome, uint64_t seed) {
  RunResult result{};
  result.seed = seed;
  result.outcome = outcome;
  result.steps = memory_.header().currentSteps;
  return readRecord(result);
}

std::string PlanRunner::detailMessage() const {
  return boundedText(memory_.header().detail.message, kMessageBytes);
}

RunRecord PlanRunner::readRecord(const RunResult& result) {
  const RunDetail& detail = memory_.header().detail;
  RunRecord record;
  record.result = result;
  record.failure = detail.failure;
  record.signal = detail.signal;
  record.address = detail.address;
  record.thread = static_cast<ThreadIndex>(detail.thread);
  record.site = static_cast<SiteId>(detail.site);
  record.accessSize = detail.accessSize;
  record.freeSite = static_cast<SiteId>(detail.freeSite);
  record.allocationSite = static_cast<SiteId>(detail.allocationSite);
  record.freeThread = static_cast<ThreadIndex>(detail.freeThread);
  record.allocationThread = static_cast<ThreadIndex>(detail.allocationThread);
  record.message = detailMessage();
  uint32_t count = std::min(detail.threadCount, kMaxThreadDetails);
  record.threads.assign(detail.threads, detail.threads + count);
  if (result.meetings != 0 && memory_.header().meeting.sideCount != 0)
    record.meeting = memory_.header().meeting;
  record.decisions = memory_.decisions(result.decisions);
  record.output = scratch_.readOutput();
  record.sites = knownSites();
  return record;
}

/// Read once for each process, and again when it has loaded more.
std::shared_ptr<const SiteCatalog> PlanRunner::knownSites() {
  if (!memory_.sitesComplete())
    return nullptr;
  if (catalog_ && catalog_->size() == memory_.siteCount())
    return catalog_;
  auto sites = this->sites();
  catalog_ = sites ? *sites : nullptr;
  return catalog_;
}

Result<std::shared_ptr<const SiteCatalog>> PlanRunner::sites() {
  auto catalog = memory_.readSites();
  if (!catalog)
    return catalog.error();
  return std::make_shared<const SiteCatalog>(std::move(*catalog));
}

void PlanRunner::endProcess() {
  if (!process_)
    return;
  // One that takes long to end, with much memory, is not waited for when the time is over.
  if (memory_.phase() == Phase::Done && !process_->ended() && !isPastDeadline()) {
    memory_.setPhase(Phase::Quit);
    process_->waitForEnd(kAnswerMilliseconds);
  }
  process_.reset();
}

} // namespace heddle
