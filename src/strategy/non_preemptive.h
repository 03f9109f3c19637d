#pragma once

#include "strategy.h"

namespace heddle {

/// The default schedule: the running thread goes on while it can; when it blocks, yields or ends,
/// the next thread in order of creation runs; waiters are woken in order of arrival. What the
/// program does here it does without any preemption: the run that every schedule is a deviation
/// from. Not from a paper; "cooperative" or "delay bound 0" elsewhere (Emmi, Qadeer, Rakamaric:
/// Delay-bounded scheduling, POPL 2011, with this deterministic scheduler and no delays).
class NonPreemptive final : public Strategy {
public:
  ThreadIndex choose(const Choice& choice) override;
};

} // namespace heddle
