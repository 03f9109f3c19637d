#pragma once

#include "model/schedule.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

namespace heddle {

/// What makes a schedule hard to read, the worst first: threads that are interrupted, threads that
/// take over for whatever reason, decisions that deviate from the default.
struct ScheduleCost {
  uint64_t preemptions = 0;
  uint64_t switches = 0;
  size_t decisions = 0;

  auto operator<=>(const ScheduleCost&) const = default;
};

/// A run in which it happened, whatever is being reduced: what it decided, and what that costs.
struct ReducedRun {
  std::vector<Decision> decisions;
  ScheduleCost cost;
};

/// Runs the program with parts of a schedule; see TolerantReplay for what becomes of decisions that
/// do not apply.
class Trials {
public:
  virtual ~Trials() = default;
  /// The run, if it happened in it. Its decisions are those that the run has made, which need not
  /// be the given ones.
  virtual std::optional<ReducedRun> run(const std::vector<Decision>& decisions) = 0;
  /// No more runs: the budget was used, or somebody pressed Ctrl-C.
  virtual bool spent() const = 0;
};

/// How far a reduction looks around before it is content.
struct Reach {
  size_t
      pairDistance; ///< decisions that are left out or exchanged together are at most so far apart
  size_t places;    ///< switches of the found run that are tried in the place of others
  size_t threads;   ///< most among which another one is chosen
};
/// For a check, to which a finding is worth hundreds of runs.
inline constexpr Reach kNearReach{3, 64, 8};
/// For who waits for nothing else.
inline constexpr Reach kFarReach{1000, 4096, 64};

/// Makes a schedule cheaper, as long as it still happens. Delta debugging over decisions (Zeller,
/// Hildebrandt: Simplifying and Isolating Failure-Inducing Input, TSE 2002; on schedules Choi,
/// Zeller, ISSTA 2002): parts are left out, large ones first, until no single decision can be. Then
/// what leaving out cannot do, after Jalbert, Sen: A Trace Simplification Technique for Effective
/// Debugging of Concurrent Programs (FSE 2010): a preemption is put off to where its thread has to
/// stop anyway, two switches become one, pairs are left out, another thread is chosen. Last, one
/// switch of the found run takes the place of two.
///
/// Other than in the papers each success replaces the schedule by what its run has decided, so that
/// decisions without effect are gone at once; and only a cheaper run is a success, so that it ends.
/// The result is a local minimum: no single one of these steps makes it cheaper.
/// The same schedule gives the same result, unless the trials are spent by time.
class Reduction {
public:
  explicit Reduction(Trials& trials, const Reach& reach = kNearReach)
      : trials_(trials), reach_(reach) {}

  /// Empty when it does not happen with the whole schedule. Called again, after the trials have
  /// changed how they run, it still knows the switches of the first schedule.
  std::optional<ReducedRun> reduce(const std::vector<Decision>& schedule);

private:
  /// Runs it, and takes it over if it is cheaper.
  bool attempt(const std::vector<Decision>& decisions);
  void leaveOutParts(size_t largest);
  bool leaveOutPartsOf(size_t size);
  bool leaveOutPairs();
  bool putOff();
  bool merge();
  bool redirect();
  /// Leaves out a switch to a thread and redirects another one, which was to undo the first: a
  /// thread that is let begin early, and gives way again.
  bool redirectWithout();
  bool exchange();
  /// Any of the steps beside leaving out.
  bool rearrange();

  Trials& trials_;
  Reach reach_;
  ReducedRun best_;
  std::vector<Decision> places_;       ///< switches of the first schedule, for exchange()
  std::unordered_set<uint64_t> tried_; ///< hashes of lists of decisions
};

} // namespace heddle
