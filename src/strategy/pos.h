#pragma once

#include "early_wakes.h"
#include "strategy.h"

namespace heddle {

/// POS, partial order sampling: Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling (CAV
/// 2018), algorithm 2. Every pending event has a random priority and the highest enabled one is
/// executed; then the pending events that race with it get new priorities. Without that reset a
/// low event would stay low, and lose against everything that is dependent on it again and again.
/// Samples partial orders far more evenly than a random walk does, without estimates of n or k.
///
/// Ours differs in that "race" is conflict() of the pending operations (same object, one of them
/// writes), that locks are objects like any other (there is no happens-before tracking), and that
/// everybody draws again when a thread yields or spins, so that it cannot starve the others.
class Pos final : public Strategy {
public:
  void beginRun(uint64_t seed) override;
  ThreadIndex choose(const Choice& choice) override;
  uint32_t chooseWaiter(const Choice& choice, ThreadView* const* waiters, uint32_t count) override;
  bool chooseEarly(const Choice& choice, DecisionKind kind, ThreadView& waiter) override;
  void executed(ThreadView& thread, const EnabledSet& enabled) override;
  StrategyTraits traits() const override { return {.wantsExecuted = true}; }

private:
  Random random_;
  EarlyWakes early_;
};

} // namespace heddle
