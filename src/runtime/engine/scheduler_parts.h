#pragma once

#include "runtime/core/scheduler_state.h"
#include "runtime/trace/sites.h"

/// What the parts of the scheduler share: decisions (scheduler.cpp), waiting and time
/// (scheduler_waits.cpp), the life of fibers (fiber_life.cpp).
namespace heddle::rt {

/// Why the running fiber does not simply go on.
enum class Reason { Point, Blocked, Yield, ForcedYield };

/// Counts a step of the fiber; which occurrence of the site it is. Ends a run that has used its
/// steps.
uint32_t countStep(Fiber* fiber, SiteId site);
/// The same where the occurrence has been counted.
void countStep(Occurrence occurrence);
/// The running fiber can go on (Point) or is no longer enabled (Blocked): decides and switches.
void reschedule(Fiber* fiber, Reason reason, SiteId site, uint32_t occurrence);

/// A blocked fiber becomes runnable.
void wakeWith(Fiber* fiber, WakeReason reason);
/// The timed waiter whose deadline comes first, or null.
Fiber* earliestTimed();
/// Time goes on to the deadline of the fiber, which wakes.
void expire(Fiber* fiber);
bool waitsForIo();
/// Nobody can run. Lets time pass, waits for input, or reports the deadlock.
void awaitSomebody();

inline EnabledSet enabledSet() {
  return {scheduler.enabled, scheduler.words, scheduler.enabledCount,
          reinterpret_cast<ThreadView* const*>(scheduler.fibers)};
}

inline void enable(Fiber* fiber) {
  uint32_t i = raw(fiber->index());
  uint64_t bit = 1ull << (i % 64);
  if (scheduler.enabled[i / 64] & bit)
    return;
  scheduler.enabled[i / 64] |= bit;
  ++scheduler.enabledCount;
  fiber->enabledAt = scheduler.steps;
}

inline void disable(Fiber* fiber) {
  uint32_t i = raw(fiber->index());
  uint64_t bit = 1ull << (i % 64);
  if (!(scheduler.enabled[i / 64] & bit))
    return;
  scheduler.enabled[i / 64] &= ~bit;
  --scheduler.enabledCount;
}

inline Choice makeChoice(const EnabledSet& set, Fiber* fiber, bool currentEnabled, bool yielded,
                         SiteId site, uint32_t occurrence) {
  ThreadIndex fallback = currentEnabled ? fiber->index() : set.after(fiber->index());
  return {set,      fiber->index(),   currentEnabled, yielded,
          fallback, identityOf(site), occurrence,     /*mayWait=*/false};
}

} // namespace heddle::rt
