#pragma once

#include "early_wakes.h"
#include "strategy.h"

namespace heddle {

/// Uniform random walk: at every scheduling point each enabled thread is equally likely to run
/// next. The baseline of the field; see Thomson, Donaldson, Betts: Concurrency Testing Using
/// Controlled Schedulers (PPoPP 2014, TOPC 2016), where it beats most systematic searches.
/// Ours differs in that a thread that yields or spins is not among the candidates, and that only
/// points where more than one thread is enabled consume randomness.
class RandomWalk final : public Strategy {
public:
  void beginRun(uint64_t seed) override;
  ThreadIndex choose(const Choice& choice) override;
  uint32_t chooseWaiter(const Choice& choice, ThreadView* const* waiters, uint32_t count) override;
  bool chooseEarly(const Choice& choice, DecisionKind kind, ThreadView& waiter) override;

private:
  Random random_;
  EarlyWakes early_;
};

} // namespace heddle
