#pragma once

#include "strategy.h"

namespace heddle {

/// Runs without preemption that differ from each other: the running thread goes on while it can;
/// when it blocks, yields or ends, any thread that can run is equally likely to be next, and a
/// signal wakes any of the waiters. What a program does under it needs no preemption, whatever the
/// order in which the system starts its threads. Not from a paper; preemption bound 0 of Musuvathi
/// and Qadeer: Iterative context bounding (PLDI 2007), sampled instead of enumerated.
class RunToBlock final : public Strategy {
public:
  void beginRun(uint64_t seed) override;
  ThreadIndex choose(const Choice& choice) override;
  uint32_t chooseWaiter(const Choice& choice, ThreadView* const* waiters, uint32_t count) override;

private:
  Random random_;
};

} // namespace heddle
