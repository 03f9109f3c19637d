#include "pipeline/runs/run_lengths.h"

#include "model/batch.h"
#include "pipeline/runs/session_settings.h"

#include <algorithm>

namespace heddle {
namespace {

/// Steps of a run, from those of the run without preemption: which has no limit but the time.
constexpr uint64_t kMinMaxSteps = 1'000'000;
constexpr uint64_t kStepsFactor = 20;
/// Where a thread never ends without a turn of the others, they get it sooner in the runs that
/// follow.
constexpr uint64_t kShortTurnSteps = 1 << 18;
/// Runs with more steps, which take some ten milliseconds, are sampled in windows.
constexpr uint64_t kLongSteps = 200'000;
/// Where a run has more sync operations, they are thinned out, too: a decision at each of them
/// takes most of its time.
constexpr uint64_t kManySyncSteps = 1'000'000;
/// Threads that are made to give way more often than once in so many steps wait for each other in
/// loops; one that only works for long gets there much more seldom.
constexpr uint64_t kMinStepsOfTurns = 10'000;
/// Times that a decision takes longer than an operation without one.
constexpr uint64_t kDecisionCost = 6;

} // namespace

void RunLengths::learnFromFirstRun(const RunResult& result, bool atSync) {
  // How long a run is that does not fail, one that fails does not say.
  if (options_.max_steps == 0 && result.outcome != Outcome::Failed)
    maxSteps_ = std::max(kMinMaxSteps, kStepsFactor * result.steps);
  if (result.flags & kResultTurn)
    turnSteps_ = kShortTurnSteps;
  noteLength(result);
  firstSteps_ = result.steps;
  mostSteps_ = std::max(mostSteps_, result.steps);
  waitsInLoops_ = result.decisions * kMinStepsOfTurns > result.steps;
  threads_ = result.peakThreads;
  outlives_ = (result.flags & kResultOutlives) != 0;
  if (!atSync)
    return;
  notePass(result);
  if (thinsSync())
    longestPass_ /= kMaxSyncBlocks / 2 + 1;
  syncChoices_ = result.choices;
}

void RunLengths::noteLength(const RunResult& result) {
  longestRun_ = std::max<uint64_t>(longestRun_, result.choices);
}

void RunLengths::noteStepsWithPoints(uint64_t steps) {
  mostSteps_ = std::max(mostSteps_, steps);
  if (options_.max_steps == 0 && maxSteps_ != 0)
    maxSteps_ = std::max(maxSteps_, kStepsFactor * steps);
}

void RunLengths::notePass(const RunResult& result) {
  // Passes that are thinned out differ by chance, and by the sites that were drawn.
  uint64_t earlier = thinsSync() ? 0 : longestPass_;
  longestPass_ = std::max<uint64_t>(earlier, result.choices);
}

bool RunLengths::hasManySteps() const { return mostSteps_ >= kLongSteps; }

bool RunLengths::isLong() const {
  return !outlives_ && parseIsolation(options_.isolation) != Isolation::Exec && hasManySteps();
}

bool RunLengths::thinsSync() const {
  // A strategy that was asked for is that strategy.
  return options_.strategy.empty() && firstSteps_ >= kManySyncSteps && !waitsInLoops_;
}

uint64_t RunLengths::stepsOfWholeRun(bool everySync) const {
  uint64_t steps = thinsSync() && !everySync ? firstSteps_ / kDecisionCost : firstSteps_;
  return std::max<uint64_t>(steps, 1);
}

} // namespace heddle
