#include "pipeline/runs/budget.h"

#include "control/interrupt.h"

#include <algorithm>
#include <cmath>

namespace heddle {
namespace {

constexpr double kDefaultSeconds = 60;
/// Of the longest run: its replay takes about as long, and a process has to be started.
constexpr double kReservedRuns = 2.5;
constexpr double kMaxReserved = 0.25; ///< of the budget
/// What is always kept of the budget for the end: confirming, storing and printing take a moment.
constexpr double kMinReservedSeconds = 0.4;
constexpr double kMinReserved = 0.05; ///< of the budget, if that is less
/// By which a confirmation may be longer than the budget.
constexpr double kGraceSeconds = 0.4;

} // namespace

std::optional<double> timeBudget(const Options& options) {
  if (options.seconds != 0)
    return options.seconds;
  return options.runs != 0 ? std::nullopt : std::optional(kDefaultSeconds);
}

Budget::Budget(const Options& options, const Tally& tally)
    : options_(options), tally_(tally),
      endsWhenSettled_(options.seconds == 0 || options.settled_runs != Options().settled_runs) {}

double Budget::secondsUsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::optional<double> Budget::secondsLeftWith(double grace) const {
  auto budget = timeBudget(options_);
  if (!timeLimited_ || !budget)
    return std::nullopt;
  return *budget + grace - secondsUsed();
}

double Budget::reservedSeconds() const {
  auto budget = timeBudget(options_);
  if (!budget)
    return 0;
  double least = std::min(kMinReservedSeconds, *budget * kMinReserved);
  double wanted = kReservedRuns * static_cast<double>(longestNanos_) * 1e-9 - kGraceSeconds;
  return std::clamp(wanted, least, *budget * kMaxReserved);
}

std::optional<double> Budget::secondsLeft() const {
  auto left = secondsLeftWith(-reservedSeconds());
  if (left && stageEnd_.seconds)
    left = std::min(*left, *stageEnd_.seconds - secondsUsed());
  return left ? std::max(0.0, *left) : left;
}

std::optional<double> Budget::secondsToConfirm() const { return secondsLeftWith(kGraceSeconds); }

bool Budget::graceIsOver() const { return secondsToConfirm().value_or(1) <= 0; }

bool Budget::mustEnd() const { return interrupted() || secondsLeft().value_or(1) <= 0; }

std::optional<uint64_t> Budget::runsLeft() const {
  if (!runsLimited_ || (options_.runs == 0 && !stageEnd_.runs))
    return std::nullopt;
  uint64_t most = options_.runs == 0 ? UINT64_MAX : options_.runs;
  uint64_t end = std::min(most, stageEnd_.runs.value_or(most));
  return end - std::min(end, tally_.runs);
}

void Budget::noteRun(const RunResult& result) {
  // A recording takes much longer than the replay of one.
  if (result.events == 0)
    longestNanos_ = std::max(longestNanos_, result.nanos);
}

StageLimit::StageLimit(Budget& budget, std::optional<double> seconds, std::optional<uint64_t> runs)
    : budget_(budget), outer_(budget.stageEnd()) {
  Budget::StageEnd end = outer_;
  if (seconds)
    end.seconds = std::min(budget.secondsUsed() + *seconds, outer_.seconds.value_or(HUGE_VAL));
  if (runs)
    end.runs = std::min(budget.runsMade() + *runs, outer_.runs.value_or(UINT64_MAX));
  budget_.setStageEnd(end);
}

std::optional<double> shareOfTime(const Budget& budget, double share) {
  auto left = budget.secondsLeft();
  return left ? std::optional(*left * share) : std::nullopt;
}

std::optional<uint64_t> shareOfRuns(const Budget& budget, double share) {
  auto left = budget.runsLeft();
  if (!left)
    return std::nullopt;
  return std::max<uint64_t>(1, static_cast<uint64_t>(static_cast<double>(*left) * share));
}

} // namespace heddle
