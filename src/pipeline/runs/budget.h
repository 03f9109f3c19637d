#pragma once

#include "control/options.h"
#include "pipeline/runs/tally.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace heddle {

/// Seconds that a command with these options may take; empty: no limit.
std::optional<double> timeBudget(const Options& options);

/// The time and the runs that a command may use, and what is left of them. A part of the time is
/// always kept for confirming what was found.
/// The options and the tally must outlive it.
class Budget {
public:
  Budget(const Options& options, const Tally& tally);
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  double secondsUsed() const;
  /// From here on plans end with the time budget of the options, counted from the start.
  void limitTime() { timeLimited_ = true; }
  /// From here on --runs is the number of all runs that look for something.
  void limitRuns() { runsLimited_ = true; }

  /// Lets what follows end earlier than the budget does; empty: no longer. See StageLimit.
  struct StageEnd {
    std::optional<double> seconds; ///< in secondsUsed()
    std::optional<uint64_t> runs;  ///< of the tally
  };
  void setStageEnd(const StageEnd& end) { stageEnd_ = end; }
  const StageEnd& stageEnd() const { return stageEnd_; }
  uint64_t runsMade() const { return tally_.runs; }

  /// Seconds that are left without what a confirmation needs, or of the stage's share; empty: no
  /// limit.
  std::optional<double> secondsLeft() const;
  /// Seconds in which a confirmation has to end: a moment longer than the budget. Negative when
  /// even that is over.
  std::optional<double> secondsToConfirm() const;
  /// Whether no stage may begin: the time limit was reached, or somebody pressed Ctrl-C.
  /// Thread-safe.
  bool mustEnd() const;
  /// Whether there is no time even for confirming: what is left is to report, at once.
  bool graceIsOver() const;
  /// Runs that may still look for something; empty: no limit.
  std::optional<uint64_t> runsLeft() const;
  /// As mustEnd(), or no run is left.
  bool searchIsOver() const { return mustEnd() || runsLeft().value_or(1) == 0; }

  /// Whether the search ends when nothing new comes any more: not when somebody has said for how
  /// long to search.
  bool endsWhenSettled() const { return endsWhenSettled_; }
  void setEndsWhenSettled(bool ends) { endsWhenSettled_ = ends; }

  /// Takes over how long a run took: its replay takes about as long.
  void noteRun(const RunResult& result);

private:
  /// What is left when this much may be added to the budget; negative when even that is over.
  std::optional<double> secondsLeftWith(double grace) const;
  /// Seconds at the end of the budget that are kept for confirming: a run that is longer than the
  /// grace could not be replayed otherwise.
  double reservedSeconds() const;

  const Options& options_;
  const Tally& tally_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  StageEnd stageEnd_;
  bool timeLimited_ = false;
  bool runsLimited_ = false;
  bool endsWhenSettled_;
  uint64_t longestNanos_ = 0; ///< of a run so far
};

/// Gives a stage a share of the time and the runs that are left, while it lives. What a stage has
/// found is confirmed after it.
class StageLimit {
public:
  /// No seconds, no runs: the stage may use all that is left.
  StageLimit(Budget& budget, std::optional<double> seconds,
             std::optional<uint64_t> runs = std::nullopt);
  StageLimit(const StageLimit&) = delete;
  StageLimit& operator=(const StageLimit&) = delete;
  ~StageLimit() { budget_.setStageEnd(outer_); }

private:
  Budget& budget_;
  Budget::StageEnd outer_; ///< which holds inside, too
};

/// A share of the time that is left; empty: no limit.
std::optional<double> shareOfTime(const Budget& budget, double share);
/// A share of the runs that are left, at least one; empty: no limit.
std::optional<uint64_t> shareOfRuns(const Budget& budget, double share);

} // namespace heddle
