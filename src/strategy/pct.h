#pragma once

#include "early_wakes.h"
#include "strategy.h"

namespace heddle {

/// PCT, probabilistic concurrency testing: Burckhardt, Kothari, Musuvathi, Nagarakatte: A
/// Randomized Scheduler with Probabilistic Guarantees of Finding Bugs (ASPLOS 2010), section 3.
/// Threads get random priorities and the highest enabled one runs; at d - 1 steps, drawn over the
/// length k of a run, the running thread falls below all others. A bug of depth d in a program
/// with n threads is found with probability at least 1 / (n k^(d-1)).
///
/// Ours differs:
/// - a step is a point where more than one thread is enabled: k is smaller, the bound higher.
/// - a thread gets its priority when it is first seen, because threads are not known in advance;
///   draws from 63 bits give the same distribution of orders as a random permutation.
/// - k comes from the plan, or is the longest run of the batch so far. With the plan's estimate a
///   run depends on its seed alone.
/// - a thread that yields or spins falls below everybody, so that whoever it waits for can run.
class Pct final : public Strategy {
public:
  static constexpr uint32_t kDefaultDepth = 3;
  static constexpr uint32_t kMaxDepth = 64;
  static constexpr uint64_t kFirstEstimate = 64; ///< steps, while nothing better is known

  void beginBatch(const Plan& plan) override;
  void beginRun(uint64_t seed) override;
  ThreadIndex choose(const Choice& choice) override;
  uint32_t chooseWaiter(const Choice& choice, ThreadView* const* waiters, uint32_t count) override;
  bool chooseEarly(const Choice& choice, DecisionKind kind, ThreadView& waiter) override;
  void endRun(uint64_t steps) override;

private:
  struct ChangePoint {
    uint64_t step;
    uint64_t priority;
  };

  void drawChangePoints();
  uint64_t priorityOf(ThreadView& thread);
  ThreadView* highest(const EnabledSet& enabled);

  Random random_;
  EarlyWakes early_;
  uint32_t depth_ = kDefaultDepth;
  uint64_t planEstimate_ = 0;
  uint64_t longest_ = 0; ///< steps of the longest run so far
  uint64_t step_ = 0;
  uint64_t lowest_ = 0; ///< what the last thread that yielded got
  uint32_t nextPoint_ = 0;
  ChangePoint points_[kMaxDepth]; ///< d - 1 of them, in order of steps
};

} // namespace heddle
