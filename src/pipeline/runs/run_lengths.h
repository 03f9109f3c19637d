#pragma once

#include "control/options.h"
#include "model/batch.h"

#include <cstdint>

namespace heddle {

/// Of blocks of sync operations at least one in about a half of so many is a block of points.
inline constexpr uint64_t kMaxSyncBlocks = 64;

/// How long the runs of a program are, as far as it is known: what plans and their limits depend
/// on. The options must outlive it.
class RunLengths {
public:
  explicit RunLengths(const Options& options) : options_(options), maxSteps_(options.max_steps) {}

  /// Takes over what the run without preemption showed. `atSync`: sync operations were its only
  /// scheduling points.
  void learnFromFirstRun(const RunResult& result, bool atSync);
  /// A run whose scheduling points are those known now has about so many steps.
  void noteStepsWithPoints(uint64_t steps);
  /// Takes over the length of a run, for the plans that follow: PCT draws its change points over
  /// it.
  void noteLength(const RunResult& result);
  /// Takes over the length of a pass with windows.
  void notePass(const RunResult& result);

  /// Whether runs are so long that they are sampled in windows; see src/runtime/windows.h.
  bool isLong() const;
  /// The same, whether windows can be used or not.
  bool hasManySteps() const;
  /// Whether runs have so many sync operations that these are thinned out, too. Not where threads
  /// wait for each other in loops of them: such loops are found out at points.
  bool thinsSync() const;
  /// Of the run without preemption; where sync operations are thinned out, fewer that take as long.
  uint64_t stepsOfWholeRun(bool everySync) const;

  uint64_t maxSteps() const { return maxSteps_; }
  uint64_t turnSteps() const { return turnSteps_; }
  uint64_t longestRun() const { return longestRun_; }
  uint64_t longestPass() const { return longestPass_; }
  uint64_t syncChoices() const { return syncChoices_; }
  /// Threads that live at the same time, at most.
  uint32_t threads() const { return threads_; }

private:
  const Options& options_;
  uint64_t maxSteps_;
  uint64_t turnSteps_ = 0;   ///< Plan::turnSteps
  uint64_t longestRun_ = 0;  ///< choices of a run so far
  uint64_t longestPass_ = 0; ///< the same of a pass with windows
  uint64_t firstSteps_ = 0;  ///< of the first run
  uint64_t syncChoices_ = 0; ///< of the first run, with sync operations as the only points
  uint64_t mostSteps_ = 0;   ///< of a run with the points known so far
  uint32_t threads_ = 8;
  bool waitsInLoops_ = false; ///< in the first run, where threads had to be made to give way
  bool outlives_ = false;     ///< what the first run did that windows would do to each other
};

} // namespace heddle
