#include "pipeline/campaign.h"

#include "control/interrupt.h"
#include "describe/function_name.h"
#include "store/encoding.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace heddle {
namespace {

/// Steps of a run, from those of the run without preemption: which has no limit but the time.
constexpr uint64_t kLeastMaxSteps = 1'000'000;
constexpr uint64_t kStepsFactor = 20;
/// Of the longest run: its replay takes about as long, and a process has to be started.
constexpr double kReservedRuns = 2.5;
constexpr double kMostReserved = 0.25; ///< of the budget
/// What is always kept of the budget for the end: confirming, storing and printing take a moment.
constexpr double kLeastReservedSeconds = 0.4;
constexpr double kLeastReserved = 0.05; ///< of the budget, if that is less
/// By which a confirmation may be longer than the budget.
constexpr double kGraceSeconds = 0.4;
/// Where a thread never ends without a turn of the others, they get it sooner in the runs that
/// follow.
constexpr uint64_t kShortTurnSteps = 1 << 18;
/// Virtual time starts at a fixed moment (2024-01-01), so that runs on other days are the same.
constexpr uint64_t kTimeBase = 1'704'067'200ull * 1'000'000'000ull;
constexpr double kDefaultSeconds = 60;
constexpr uint64_t kLeastLength = 10;
/// Runs with more steps, which take some ten milliseconds, are sampled in windows.
constexpr uint64_t kLongSteps = 200'000;
constexpr uint64_t kShortestWindow = 256;
constexpr uint64_t kLongestWindow = 4096;
/// Points of a run whose sites are thinned out, about: they take a few milliseconds.
constexpr uint64_t kThinnedPoints = 50'000;
/// Powers of ten between which the executions of sites that are points for sure are drawn.
constexpr double kLeastExponent = 1.5;
constexpr double kExponents = 4.5;
/// Executions of the sites that are points in a run, about: even one that is no point because they
/// are thinned out takes some nanoseconds.
constexpr double kMaxExecutions = 3e6;
/// A site that is executed a million times has so many times the points of one that is executed
/// once for each of `thinFirst`.
constexpr uint64_t kThinnedGrowth = 10;
constexpr uint64_t kMaxThinFirst = 1024;
/// Powers of two by which `thinFirst` and `thinLength` differ from run to run.
constexpr uint64_t kThinFirstSpread = 4;
constexpr uint64_t kThinLengthSpread = 9;
/// Where a run has more sync operations, they are thinned out, too: a decision at each of them
/// takes most of its time.
constexpr uint64_t kManySyncSteps = 1'000'000;
/// Of blocks of sync operations at least one in about a half of so many is a block of points.
constexpr uint64_t kMostSyncBlocks = 64;
/// Threads that are made to give way more often than once in so many steps wait for each other in
/// loops; one that only works for long gets there much more seldom.
constexpr uint64_t kLeastStepsOfTurns = 10'000;
/// Times that a decision takes longer than an operation without one.
constexpr uint64_t kDecisionCost = 6;
/// A pass whose sync operations are fewer has some of the other points, too.
constexpr uint64_t kEnoughChoices = 10'000;
constexpr uint64_t kPassThinFirst = 64;
constexpr uint64_t kPassThinLength = 16;
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
  else if (result.outcome == Outcome::Finished || result.outcome == Outcome::Explored)
    ++finished;
  else if (result.outcome == Outcome::Cut)
    ++cut;
  else if (result.outcome == Outcome::Idle)
    ++idle;
}

std::string buildName(const Program& program) {
  // What one test shares between threads another one may not.
  return program.test.empty() ? program.buildId : program.buildId + " " + program.test;
}

Campaign::Campaign(std::shared_ptr<const Program> program, const Options& options, Store* store)
    : program_(std::move(program)), options_(options), store_(store), maxSteps_(options.max_steps),
      endsWhenSettled_(options.seconds == 0 || options.settled_runs != Options().settled_runs) {
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
  plan.turnSteps = turnSteps_;
  plan.wallNanos = wallNanos(secondsLeft());
  plan.timeBase = kTimeBase;
  plan.pctDepth = static_cast<uint32_t>(options_.depth);
  plan.estimatedSteps = std::max(longestRun_, kLeastLength);
  plan.expectedExit = normalExitStatus_;
  plan.flags =
      (options_.time == "any" ? kPlanTimeAny : 0u) | (options_.spurious ? kPlanSpurious : 0u) |
      (options_.check_heap ? kPlanCheckHeap : 0u) | (options_.until_idle ? kPlanUntilIdle : 0u);
  if (plan.points == PointSet::Listed)
    request.listedSites = drawSites(firstSeed);
  if (plan.points == PointSet::Listed && request.listedSites.empty())
    plan.points = PointSet::Sync;
  if (plan.points != PointSet::All)
    thinOut(request, request.listedSites.size());
  return request;
}

std::vector<uint64_t> Campaign::drawSites(uint64_t seed) const {
  if (mostSteps_ < kLongSteps)
    return points_.sites;
  auto executionsOf = [&](uint64_t site) {
    auto known = points_.executions.find(site);
    return known == points_.executions.end() ? 0.0 : static_cast<double>(known->second);
  };
  std::mt19937_64 random(seed * 0x9e3779b97f4a7c15ull + options_.seed);
  auto draw = [&] { return static_cast<double>(random() >> 11) / (uint64_t{1} << 53); };
  // Sites that are executed more often than this are points with a smaller probability.
  double hot = std::pow(10.0, kLeastExponent + draw() * kExponents);
  auto expected = [&] {
    double sum = 0;
    for (uint64_t site : points_.sites)
      sum += std::min(hot, executionsOf(site));
    return sum;
  };
  while (expected() > kMaxExecutions)
    hot /= 2;
  std::vector<uint64_t> drawn;
  for (uint64_t site : points_.sites)
    if (draw() * executionsOf(site) < hot)
      drawn.push_back(site);
  return drawn;
}

void Campaign::thinOut(PlanRequest& request, uint64_t sites) const {
  Plan& plan = request.plan;
  plan.thinFirst = plan.thinLength = plan.thinSync = 0;
  // Who looks for patterns of locks sees all of them, and so does who is to bring something about.
  bool sync = thinsSync() && plan.target.kind == TargetKind::None &&
              plan.strategy != StrategyKind::LockPattern;
  sites += sync ? 2 : 0; // one locks, and one unlocks
  if (mostSteps_ < kLongSteps || sites == 0)
    return;
  plan.thinSync = sync ? kMostSyncBlocks : 0;
  uint64_t threads = std::max<uint64_t>(donorPool_, 1);
  uint64_t most = kThinnedPoints / (kThinnedGrowth * sites * threads);
  uint64_t drawn = mix(plan.firstSeed, static_cast<uint64_t>(plan.strategy));
  most = std::min(most, kMaxThinFirst) >> (drawn >> 32) % kThinFirstSpread;
  plan.thinFirst = std::max<uint64_t>(most, 1);
  plan.thinLength = uint64_t{1} << (drawn >> 48) % kThinLengthSpread;
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

FailingRun Campaign::failingRun(RunRecord record, const PlanRequest& request) const {
  FailingRun failing;
  failing.schedule = scheduleOf(record);
  failing.schedule.points = request.plan.points;
  failing.schedule.target = request.plan.target;
  if (request.plan.points == PointSet::Listed || !(request.plan.flags & kPlanUncheckedSites))
    failing.sites = request.listedSites;
  if (failing.sites != points_.sites)
    failing.schedule.pointsName.clear();
  failing.strategy = request.plan.strategy;
  failing.test = program_->test;
  failing.record = std::move(record);
  return failing;
}

void Campaign::keepPoints(FailingRun& failing) {
  Schedule& schedule = failing.schedule;
  if (failing.sites.empty() || !schedule.pointsName.empty() || !store_)
    return;
  PointsSet set{"", buildName(*program_), {}};
  for (uint64_t site : failing.sites)
    set.sites.push_back(static_cast<SiteIdentity>(site));
  set.id = pointsSetId(set.build, set.sites);
  if (Status kept = store_->importPoints(set); kept)
    schedule.pointsName = set.id;
  else
    addWarning(kept.error().message);
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
  schedule.windowFirst = record.result.windowFirst;
  schedule.windowLength = record.result.windowLength;
  schedule.thinFirst = record.result.thinFirst;
  schedule.thinLength = record.result.thinLength;
  schedule.thinSeed = record.result.thinSeed;
  schedule.thinSync = record.result.thinSync;
  schedule.decisions = record.decisions;
  return schedule;
}

PlanRequest Campaign::replayPlan(const Schedule& schedule, const std::vector<uint64_t>& sites,
                                 Until until) const {
  PlanRequest request = plan(StrategyKind::Replay, schedule.seed, 1);
  Plan& plan = request.plan;
  // What was found in time is worth the moment that its confirmation takes.
  if (until == Until::Grace)
    plan.wallNanos = wallNanos(secondsLeftWith(kGraceSeconds));
  plan.points = schedule.points;
  if (schedule.maxSteps != 0)
    plan.maxSteps = schedule.maxSteps;
  if (schedule.timeBase != 0)
    plan.timeBase = schedule.timeBase;
  plan.flags = (schedule.timeAny ? kPlanTimeAny : 0u) | (schedule.spurious ? kPlanSpurious : 0u) |
               (schedule.untilIdle ? kPlanUntilIdle : 0u) |
               (options_.check_heap ? kPlanCheckHeap : 0u);
  plan.target = schedule.target;
  plan.windowFirst = schedule.windowFirst;
  plan.windowLength = schedule.windowLength;
  plan.thinFirst = schedule.thinFirst;
  plan.thinLength = schedule.thinLength;
  plan.thinSeed = schedule.thinSeed;
  plan.thinSync = schedule.thinSync;
  request.listedSites = sites; // where they are no points they are checked for use after free
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
    session.isolationReason = notRestorable_;
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

void Campaign::learnFromFirstRun(const RunRecord& record, const Session::Notes& notes) {
  const RunResult& result = record.result;
  bool failed = result.outcome == Outcome::Failed;
  if (!failed)
    normalExitStatus_ = result.exitStatus;
  // How long a run is that does not fail, this one does not say.
  if (options_.max_steps == 0 && !failed)
    maxSteps_ = std::max(kLeastMaxSteps, kStepsFactor * result.steps);
  if (result.flags & kResultTurn)
    turnSteps_ = kShortTurnSteps;
  noteLength(result);
  firstSteps_ = result.steps;
  mostSteps_ = std::max(mostSteps_, result.steps);
  waitsInLoops_ = result.decisions * kLeastStepsOfTurns > result.steps;
  if (points_.used() == PointSet::Sync) {
    notePass(result);
    if (thinsSync())
      longestPass_ /= kMostSyncBlocks / 2 + 1;
    syncChoices_ = result.choices;
  }
  donorPool_ =
      result.peakThreads; // one more than it had; a fork copies the stacks of spare ones too
  if (result.threads == 1 && !failed)
    addWarning("the program made no second thread in the run without preemption: there is nothing "
               "to interleave");
  restorable_ = (result.flags & kResultNotRestorable) == 0;
  outlives_ = (result.flags & kResultOutlives) != 0;
  notRestorable_ = record.message;
  independent_ = restorable_ && (result.flags & kResultEnvironment) == 0 && !notes.ownName &&
                 notes.files.empty();
}

void Campaign::noteLength(const RunResult& result) {
  longestRun_ = std::max<uint64_t>(longestRun_, result.choices);
}

bool Campaign::isLong() const {
  return !outlives_ && parseIsolation(options_.isolation) != Isolation::Exec &&
         mostSteps_ >= kLongSteps;
}

bool Campaign::thinsSync() const {
  // A strategy that was asked for is that strategy.
  return options_.strategy.empty() && firstSteps_ >= kManySyncSteps && !waitsInLoops_;
}

uint64_t Campaign::stepsOfWholeRun(bool everySync) const {
  uint64_t steps = thinsSync() && !everySync ? firstSteps_ / kDecisionCost : firstSteps_;
  return std::max<uint64_t>(steps, 1);
}

void Campaign::notePass(const RunResult& result) {
  // Passes that are thinned out differ by chance, and by the sites that were drawn.
  uint64_t earlier = thinsSync() ? 0 : longestPass_;
  longestPass_ = std::max<uint64_t>(earlier, result.choices);
}

void Campaign::exploreInWindows(PlanRequest& request) const {
  Plan& plan = request.plan;
  if (longestPass_ == 0) // the first pass measures
    plan.runCount = 1;
  plan.thinFirst = std::min<uint64_t>(plan.thinFirst, kPassThinFirst);
  plan.thinLength = kPassThinLength;
  if (plan.thinSync != 0)
    plan.thinFirst = kPassThinFirst;
  else if (syncChoices_ >= kEnoughChoices)
    plan.thinFirst = 0;
  uint64_t share = longestPass_ / std::max<uint64_t>(plan.runCount - 1, 1);
  plan.windowLength = std::clamp(share / 2, kShortestWindow, kLongestWindow);
  plan.passChoices = longestPass_;
  plan.estimatedSteps = plan.windowLength;
}

unsigned Campaign::jobs() const {
  uint64_t wanted = options_.jobs != 0 ? options_.jobs : independent_ ? coreCount() : 1;
  return static_cast<unsigned>(std::min(wanted, kMostJobs));
}

void Campaign::noteStepsWithPoints(uint64_t steps) {
  mostSteps_ = std::max(mostSteps_, steps);
  if (options_.max_steps == 0 && maxSteps_ != 0)
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

double Campaign::reservedSeconds() const {
  auto budget = timeBudget(options_);
  if (!budget)
    return 0;
  double least = std::min(kLeastReservedSeconds, *budget * kLeastReserved);
  double wanted = kReservedRuns * static_cast<double>(longestNanos_) * 1e-9 - kGraceSeconds;
  return std::clamp(wanted, least, *budget * kMostReserved);
}

std::optional<double> Campaign::secondsLeft() const {
  auto left = secondsLeftWith(-reservedSeconds());
  if (left && stageEnd_.seconds)
    left = std::min(*left, *stageEnd_.seconds - secondsUsed());
  return left ? std::max(0.0, *left) : left;
}

bool Campaign::graceIsOver() const { return secondsLeftWith(kGraceSeconds).value_or(1) <= 0; }

bool Campaign::mustEnd() const { return interrupted() || secondsLeft().value_or(1) <= 0; }

std::optional<uint64_t> Campaign::runsLeft() const {
  if (!runsLimited_ || options_.runs == 0)
    return std::nullopt;
  uint64_t end = std::min(options_.runs, stageEnd_.runs.value_or(options_.runs));
  return end - std::min(end, tally_.runs);
}

void Campaign::count(const RunResult& result, bool failure) {
  tally_.add(result, failure);
  // A recording takes much longer than the replay of one.
  if (result.events == 0)
    longestNanos_ = std::max(longestNanos_, result.nanos);
}

void Campaign::noteCut(const RunRecord& record) {
  if (record.result.outcome == Outcome::Cut && tally_.cutPlace.empty())
    tally_.cutPlace = placeOf(record);
}

void Campaign::showProgress(const StageProgress& progress) const {
  if (!listener_)
    return;
  StageProgress shown = progress;
  shown.secondsLeft = secondsLeft().value_or(-1);
  listener_(shown);
}

StageLimit::StageLimit(Campaign& campaign, std::optional<double> seconds,
                       std::optional<uint64_t> runs)
    : campaign_(campaign), outer_(campaign.stageEnd()) {
  Campaign::StageEnd end = outer_;
  if (seconds)
    end.seconds = std::min(campaign.secondsUsed() + *seconds, outer_.seconds.value_or(HUGE_VAL));
  if (runs)
    end.runs = std::min(campaign.tally().runs + *runs, outer_.runs.value_or(UINT64_MAX));
  campaign_.setStageEnd(end);
}

std::optional<double> shareOfTime(const Campaign& campaign, double share) {
  auto left = campaign.secondsLeft();
  return left ? std::optional(*left * share) : std::nullopt;
}

std::optional<uint64_t> shareOfRuns(const Campaign& campaign, double share) {
  auto left = campaign.runsLeft();
  if (!left)
    return std::nullopt;
  return std::max<uint64_t>(1, static_cast<uint64_t>(static_cast<double>(*left) * share));
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
