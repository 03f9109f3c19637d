#pragma once

#include "runtime/core/scheduler_state.h"
#include "runtime/engine/progress.h"

/// When time goes on although threads could run: the strategy lets a wait end early, or threads run
/// and get nowhere. Where neither time nor input can help, the run hangs.
namespace heddle::rt {

/// Whether the plan or a schedule lets waits end early.
inline bool mayWakeEarly() {
  return scheduler.timeAny || scheduler.delays || scheduler.spurious || scheduler.replaying ||
         scheduler.tolerant;
}
/// --time=any, --spurious and replay: the strategy may wake a waiter early. Only where
/// mayWakeEarly().
void considerEarlyWakes(Fiber* current, SiteId site, uint32_t occurrence);

/// Threads run but get nowhere: lets the next timer expire, or input come in.
void letTimePass(Fiber* current, SiteId site, uint32_t occurrence);

/// After this many rounds of yields in which nobody did anything else, time goes on.
inline constexpr uint32_t kIdleRounds = 4;

/// All threads that could run only give way to each other: what they wait for must be time or
/// input. Without this a loop of sched_yield would starve every sleeper.
inline void passIdleRound(Fiber* current, SiteId site, uint32_t occurrence) {
  if (++scheduler.idleYields <= kIdleRounds * (scheduler.enabledCount + 1))
    return;
  scheduler.idleYields = 0;
  letTimePass(current, site, occurrence);
}

/// Slow part of passStandstill.
void lookAtStandstill(Fiber* fiber, SiteId site, uint32_t occurrence);
/// What threads that only repeat themselves wait for must be time or input; if there is neither,
/// the run hangs.
inline void passStandstill(Fiber* fiber, SiteId site, uint32_t occurrence) {
  if (!scheduler.replaying && scheduler.steps >= scheduler.standAgainAt && stands(fiber))
    lookAtStandstill(fiber, site, occurrence);
}

} // namespace heddle::rt
