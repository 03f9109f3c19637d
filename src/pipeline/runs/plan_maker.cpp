#include "pipeline/runs/plan_maker.h"

#include "store/encoding.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace heddle {
namespace {

/// Virtual time starts at a fixed moment (2024-01-01), so that runs on other days are the same.
constexpr uint64_t kTimeBase = 1'704'067'200ull * 1'000'000'000ull;
constexpr uint64_t kMinLength = 10;
constexpr uint64_t kShortestWindow = 256;
constexpr uint64_t kLongestWindow = 4096;
/// Points of a run whose sites are thinned out, about: they take a few milliseconds.
constexpr uint64_t kThinnedPoints = 50'000;
/// Powers of ten between which the executions of sites that are points for sure are drawn.
constexpr double kMinExponent = 1.5;
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
/// A pass whose sync operations are fewer has some of the other points, too.
constexpr uint64_t kEnoughChoices = 10'000;
constexpr uint64_t kPassThinFirst = 64;
constexpr uint64_t kPassThinLength = 16;

PointSet parsePoints(const std::string& word) {
  if (word == "sync")
    return PointSet::Sync;
  return word == "all" ? PointSet::All : PointSet::Listed;
}

/// The limit of a plan; one that has no time at all still has a limit.
uint64_t wallNanos(std::optional<double> seconds) {
  return seconds ? static_cast<uint64_t>(std::max(1.0, *seconds * 1e9)) : 0;
}

} // namespace

std::optional<StrategyKind> parseStrategy(const std::string& name) {
#define HEDDLE_STRATEGY_PARSE(kind, text)                                                          \
  if (name == text)                                                                                \
    return StrategyKind::kind;
  HEDDLE_STRATEGIES(HEDDLE_STRATEGY_PARSE)
#undef HEDDLE_STRATEGY_PARSE
  return std::nullopt;
}

PlanMaker::PlanMaker(const Options& options, const Budget& budget, const RunLengths& lengths,
                     const CommandNotes& notes)
    : options_(options), budget_(budget), lengths_(lengths), notes_(notes) {
  points_.kind = parsePoints(options.points);
}

PlanRequest PlanMaker::plan(StrategyKind strategy, uint64_t firstSeed, uint64_t runCount) const {
  PlanRequest request;
  Plan& plan = request.plan;
  plan.strategy = strategy;
  plan.points = points_.used();
  plan.firstSeed = firstSeed;
  plan.runCount = runCount;
  plan.maxSteps = lengths_.maxSteps();
  plan.turnSteps = lengths_.turnSteps();
  plan.wallNanos = wallNanos(budget_.secondsLeft());
  plan.timeBase = kTimeBase;
  plan.pctDepth = static_cast<uint32_t>(options_.depth);
  plan.estimatedSteps = std::max(lengths_.longestRun(), kMinLength);
  plan.expectedExit = notes_.normalExitStatus();
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

std::vector<uint64_t> PlanMaker::drawSites(uint64_t seed) const {
  if (!lengths_.hasManySteps())
    return points_.sites;
  auto executionsOf = [&](uint64_t site) {
    auto known = points_.executions.find(site);
    return known == points_.executions.end() ? 0.0 : static_cast<double>(known->second);
  };
  std::mt19937_64 random(seed * 0x9e3779b97f4a7c15ull + options_.seed);
  auto draw = [&] { return static_cast<double>(random() >> 11) / (uint64_t{1} << 53); };
  // Sites that are executed more often than this are points with a smaller probability.
  double hot = std::pow(10.0, kMinExponent + draw() * kExponents);
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

void PlanMaker::thinOut(PlanRequest& request, uint64_t sites) const {
  Plan& plan = request.plan;
  plan.thinFirst = plan.thinLength = plan.thinSync = 0;
  // Who looks for patterns of locks sees all of them, and so does who is to bring something about.
  bool sync = lengths_.thinsSync() && plan.target.kind == TargetKind::None &&
              plan.strategy != StrategyKind::LockPattern;
  sites += sync ? 2 : 0; // one locks, and one unlocks
  if (!lengths_.hasManySteps() || sites == 0)
    return;
  plan.thinSync = sync ? kMaxSyncBlocks : 0;
  uint64_t threads = std::max<uint64_t>(lengths_.threads(), 1);
  uint64_t most = kThinnedPoints / (kThinnedGrowth * sites * threads);
  uint64_t drawn = mix(plan.firstSeed, static_cast<uint64_t>(plan.strategy));
  most = std::min(most, kMaxThinFirst) >> (drawn >> 32) % kThinFirstSpread;
  plan.thinFirst = std::max<uint64_t>(most, 1);
  plan.thinLength = uint64_t{1} << (drawn >> 48) % kThinLengthSpread;
}

Schedule PlanMaker::scheduleOf(const RunRecord& record) const {
  Schedule schedule;
  schedule.points = points_.used();
  schedule.pointsName = points_.name;
  // A directed strategy may let time go on while it holds threads.
  schedule.timeAny = options_.time == "any" || (record.result.flags & kResultTimeout) != 0;
  schedule.spurious = options_.spurious;
  schedule.untilIdle = options_.until_idle;
  schedule.maxSteps = lengths_.maxSteps();
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

PlanRequest PlanMaker::replayPlan(const Schedule& schedule, const std::vector<uint64_t>& sites,
                                  Until until) const {
  PlanRequest request = plan(StrategyKind::Replay, schedule.seed, 1);
  Plan& plan = request.plan;
  // What was found in time is worth the moment that its confirmation takes.
  if (until == Until::Grace)
    plan.wallNanos = wallNanos(budget_.secondsToConfirm());
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

void PlanMaker::exploreInWindows(PlanRequest& request) const {
  Plan& plan = request.plan;
  uint64_t longestPass = lengths_.longestPass();
  if (longestPass == 0) // the first pass measures
    plan.runCount = 1;
  plan.thinFirst = std::min<uint64_t>(plan.thinFirst, kPassThinFirst);
  plan.thinLength = kPassThinLength;
  if (plan.thinSync != 0)
    plan.thinFirst = kPassThinFirst;
  else if (lengths_.syncChoices() >= kEnoughChoices)
    plan.thinFirst = 0;
  uint64_t share = longestPass / std::max<uint64_t>(plan.runCount - 1, 1);
  plan.windowLength = std::clamp(share / 2, kShortestWindow, kLongestWindow);
  plan.passChoices = longestPass;
  plan.estimatedSteps = plan.windowLength;
}

} // namespace heddle
