#include "pipeline/campaign.h"

#include "control/interrupt.h"
#include "pipeline/function_name.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr uint64_t kLeastMaxSteps = 200'000;
constexpr uint64_t kStepsFactor = 50;
/// Virtual time starts at a fixed moment (2024-01-01), so that runs on other days are the same.
constexpr uint64_t kTimeBase = 1'704'067'200ull * 1'000'000'000ull;
constexpr double kDefaultSeconds = 60;
constexpr uint64_t kLeastLength = 10;
constexpr uint64_t kMostJobs = 256;
constexpr size_t kShownFunctions = 3;

PointSet parsePoints(const std::string& word) {
  if (word == "sync")
    return PointSet::Sync;
  return word == "all" ? PointSet::All : PointSet::Listed;
}

/// The limit of a plan; one that has no time at all still has a limit.
uint64_t wallNanos(std::optional<double> seconds) {
  return seconds ? static_cast<uint64_t>(std::max(1.0, *seconds * 1e9)) : 0;
}

std::string describeUnseen(const ProgramModule& module) {
  size_t count = module.unseenFunctions.size();
  std::string text = std::to_string(count) + (count == 1 ? " function" : " functions") + " of " +
                     module.path + " compiled without heddle (";
  for (size_t i = 0; i < std::min(count, kShownFunctions); ++i)
    text += (i == 0 ? "" : ", ") + shortFunctionName(demangle(module.unseenFunctions[i]));
  return text + (count > kShownFunctions ? ", ...)" : ")");
}

} // namespace

void Tally::add(const RunResult& result, bool failure) {
  ++runs;
  steps += result.steps;
  if (failure || result.outcome == Outcome::Failed)
    ++failed;
  else if (result.outcome == Outcome::Finished)
    ++finished;
  else if (result.outcome == Outcome::Cut)
    ++cut;
  else if (result.outcome == Outcome::Idle)
    ++idle;
}

Campaign::Campaign(std::shared_ptr<const Program> program, const Options& options, Store* store)
    : program_(std::move(program)), options_(options), store_(store),
      maxSteps_(options.max_steps != 0 ? options.max_steps : kLeastMaxSteps) {
  points_.kind = parsePoints(options.points);
}

PlanRequest Campaign::plan(StrategyKind strategy, uint64_t firstSeed, uint64_t runCount) const {
  PlanRequest request;
  Plan& plan = request.plan;
  plan.strategy = strategy;
  plan.points = points_.used();
  plan.firstSeed = firstSeed;
  plan.runCount = runCount;
  plan.maxSteps = maxSteps_;
  plan.wallNanos = wallNanos(secondsLeft());
  plan.timeBase = kTimeBase;
  plan.pctDepth = static_cast<uint32_t>(options_.depth);
  plan.estimatedSteps = std::max(longestRun_, kLeastLength);
  plan.expectedExit = normalExitStatus_;
  plan.flags =
      (options_.time == "any" ? kPlanTimeAny : 0u) | (options_.spurious ? kPlanSpurious : 0u) |
      (options_.check_heap ? kPlanCheckHeap : 0u) | (options_.until_idle ? kPlanUntilIdle : 0u);
  if (plan.points == PointSet::Listed)
    request.listedSites = points_.sites;
  return request;
}

void Campaign::leaveOutLocalSites(PlanRequest& request) const {
  request.localSites = localSites_;
  request.plan.localExecutions = options_.local_checks;
}

void Campaign::checkLocalSites(const SiteCatalog& sites) {
  std::string first;
  uint64_t refuted = 0;
  for (const SiteEntry& site : sites.entries()) {
    if (!(site.learned & kLearnedForeign))
      continue;
    if (refuted++ == 0)
      first = site.file + ":" + std::to_string(site.line);
  }
  refutedLocalSites_ += refuted;
  if (refutedLocalSites_ != 0)
    localSites_.clear();
  if (refuted == 0)
    return;
  std::string others = refuted == 1 ? "" : " (and " + std::to_string(refuted - 1) + " more)";
  addWarning("the static analysis takes " + first + others +
             " for an access to memory of its own thread, and a run has seen it elsewhere. Nothing "
             "is left out of recordings from here on: they take longer, and findings stay as "
             "certain as they are. This is a mistake in heddle; please report it");
}

Status Campaign::loadSuppressions() {
  if (options_.suppressions.empty())
    return Unit{};
  auto read = Suppressions::read(options_.suppressions);
  if (!read)
    return read.error();
  suppressions_ = std::move(*read);
  return Unit{};
}

FailingRun Campaign::failingRun(RunRecord record, StrategyKind strategy) const {
  FailingRun failing;
  failing.schedule = scheduleOf(record);
  failing.sites = points_.sites;
  failing.strategy = strategy;
  failing.test = program_->test;
  failing.record = std::move(record);
  return failing;
}

Schedule Campaign::scheduleOf(const RunRecord& record) const {
  Schedule schedule;
  schedule.points = points_.used();
  schedule.pointsName = points_.name;
  schedule.timeAny = options_.time == "any";
  schedule.spurious = options_.spurious;
  schedule.untilIdle = options_.until_idle;
  schedule.maxSteps = maxSteps_;
  schedule.timeBase = kTimeBase;
  schedule.seed = record.result.seed;
  schedule.digest = record.result.digest;
  schedule.decisions = record.decisions;
  return schedule;
}

PlanRequest Campaign::replayPlan(const Schedule& schedule,
                                 const std::vector<uint64_t>& sites) const {
  PlanRequest request = plan(StrategyKind::Replay, schedule.seed, 1);
  Plan& plan = request.plan;
  // What was found in time is worth the moment that its confirmation takes.
  plan.wallNanos = wallNanos(secondsLeftWith(kConfirmationGraceSeconds));
  plan.points = schedule.points;
  if (schedule.maxSteps != 0)
    plan.maxSteps = schedule.maxSteps;
  if (schedule.timeBase != 0)
    plan.timeBase = schedule.timeBase;
  plan.flags = (schedule.timeAny ? kPlanTimeAny : 0u) | (schedule.spurious ? kPlanSpurious : 0u) |
               (schedule.untilIdle ? kPlanUntilIdle : 0u) |
               (options_.check_heap ? kPlanCheckHeap : 0u);
  plan.target = schedule.target;
  bool listed = schedule.points == PointSet::Listed || schedule.target.kind != TargetKind::None;
  request.listedSites = listed ? sites : std::vector<uint64_t>();
  request.schedule = schedule.decisions;
  return request;
}

SessionOptions Campaign::sessionOptions() const {
  SessionOptions session;
  if (auto isolation = parseIsolation(options_.isolation)) {
    session.isolation = *isolation;
    session.isolationFixed = true;
  } else if (!restorable_) {
    session.isolation = Isolation::Fork;
  }
  session.hangCpuSeconds = options_.hang_seconds;
  session.hangWallSeconds = options_.wait_seconds;
  session.liveOutput = options_.show_output == "live";
  session.donorPool = donorPool_;
  return session;
}

SessionOptions Campaign::freshSessionOptions() const {
  SessionOptions session = sessionOptions();
  session.isolation = Isolation::Exec;
  session.isolationFixed = true;
  return session;
}

void Campaign::learnFromFirstRun(const RunResult& result, const Session::Notes& notes) {
  normalExitStatus_ = result.exitStatus;
  if (options_.max_steps == 0)
    maxSteps_ = std::max(kLeastMaxSteps, kStepsFactor * result.steps);
  noteLength(result);
  donorPool_ =
      result.peakThreads; // one more than it had; a fork copies the stacks of spare ones too
  if (result.threads == 1)
    addWarning("the program made no second thread in the run without preemption: there is nothing "
               "to interleave");
  restorable_ = (result.flags & kResultNotRestorable) == 0;
  independent_ = restorable_ && (result.flags & kResultEnvironment) == 0 && !notes.ownName &&
                 notes.files.empty();
}

void Campaign::noteLength(const RunResult& result) {
  longestRun_ = std::max<uint64_t>(longestRun_, result.choices);
}

unsigned Campaign::jobs() const {
  uint64_t wanted = options_.jobs != 0 ? options_.jobs : independent_ ? coreCount() : 1;
  return static_cast<unsigned>(std::min(wanted, kMostJobs));
}

void Campaign::noteStepsWithPoints(uint64_t steps) {
  if (options_.max_steps == 0)
    maxSteps_ = std::max(maxSteps_, kStepsFactor * steps);
}

bool Campaign::judgeEnd(RunRecord& record) const {
  bool badExit = isBadExit(record.result);
  if (badExit)
    record.failure = FailureKind::ExitStatus;
  return badExit || record.result.outcome == Outcome::Failed;
}

bool Campaign::isBadExit(const RunResult& result) const {
  return result.outcome == Outcome::Finished && normalExitStatus_ == 0 && result.exitStatus != 0;
}

void Campaign::noteDoings(const Session& session) {
  Session::Notes notes = session.notes();
  if (notes.endOfInput && !program_->hasInput)
    addWarning("the program reads standard input and found it empty: give it a file (heddle check "
               "... < input); every run gets a copy");
  for (const std::string& file : notes.files)
    addWarning("the program writes to " + file +
               ": runs can see what earlier ones wrote there. Use a file in TMPDIR, which is empty "
               "in every run");
}

void Campaign::noteModules(Session& session) {
  noteDoings(session);
  if (!modules_.empty())
    return;
  auto sites = session.sites();
  if (!sites)
    return;
  modules_ = readModules(session.processId(), **sites);
  notSeen_.clear();
  for (const ProgramModule& module : modules_)
    if (!module.instrumented && !module.modelled)
      notSeen_.push_back(module.path + " is not instrumented");
    else if (!module.unseenFunctions.empty())
      notSeen_.push_back(describeUnseen(module));
  bool anySite = false, anyFile = false;
  for (const SiteEntry& site : (*sites)->entries()) {
    anySite |= site.isUserCode();
    anyFile |= site.isUserCode() && !site.file.empty();
  }
  if (anySite && !anyFile)
    addWarning("the program has no debug information: compile it with -g to see files, lines and "
               "names of variables");
}

void Campaign::addWarning(const std::string& text) {
  if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end())
    warnings_.push_back(text);
}

double Campaign::secondsUsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::optional<double> Campaign::secondsLeftWith(double grace) const {
  auto budget = timeBudget(options_);
  if (!timeLimited_ || !budget)
    return std::nullopt;
  return *budget + grace - secondsUsed();
}

std::optional<double> Campaign::secondsLeft() const {
  auto left = secondsLeftWith(0);
  if (left && stageEnd_)
    left = std::min(*left, *stageEnd_ - secondsUsed());
  return left ? std::max(0.0, *left) : left;
}

bool Campaign::mustEnd() const { return interrupted() || secondsLeft().value_or(1) <= 0; }

void Campaign::showProgress(const StageProgress& progress) const {
  if (!listener_)
    return;
  StageProgress shown = progress;
  shown.secondsLeft = secondsLeft().value_or(-1);
  listener_(shown);
}

std::optional<double> timeBudget(const Options& options) {
  if (options.seconds != 0)
    return options.seconds;
  return options.runs != 0 ? std::nullopt : std::optional(kDefaultSeconds);
}

std::optional<StrategyKind> parseStrategy(const std::string& name) {
#define HEDDLE_STRATEGY_PARSE(kind, text)                                                          \
  if (name == text)                                                                                \
    return StrategyKind::kind;
  HEDDLE_STRATEGIES(HEDDLE_STRATEGY_PARSE)
#undef HEDDLE_STRATEGY_PARSE
  return std::nullopt;
}

std::optional<Isolation> parseIsolation(const std::string& name) {
  for (Isolation isolation : {Isolation::Exec, Isolation::Fork, Isolation::InPlace})
    if (name == isolationName(isolation))
      return isolation;
  return std::nullopt;
}

} // namespace heddle
