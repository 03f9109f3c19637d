#pragma once

#include "fiber.h"
#include "scheduler.h"

/// The scheduler's variables: run state, in one place so that a run dirties few pages.
namespace heddle::rt {

inline constexpr uint32_t kWaitKinds = static_cast<uint32_t>(WaitKind::Library) + 1;

struct SchedulerState {
  Fiber* current = nullptr;
  Strategy* strategy = nullptr;
  uint32_t threads = 0; ///< fibers ever made
  uint32_t alive = 0;
  uint32_t peak = 0;
  uint32_t enabledCount = 0;
  uint32_t words = 1; ///< of `enabled` in use
  uint32_t timedWaiters = 0;
  uint32_t idleYields = 0;
  bool controlled = false;
  bool quiet = false; ///< no controller: the default schedule, and nobody looks at the run
  bool replaying = false;
  bool tolerant = false;  ///< follows a schedule as far as it applies; else like any strategy
  bool patient = false;   ///< tolerant: threads may spin for longer
  bool profiling = false; ///< kPlanUnits: who is far ahead shall stay so
  bool directed = false;  ///< the strategy may ask for time to pass
  bool timeAny = false;
  bool spurious = false;
  bool untilIdle = false;
  bool checkHeap = false;       ///< sync objects must not lie in freed memory
  bool strategyWatches = false; ///< Strategy::wantsExecuted
  uint64_t steps = 0;
  uint64_t choices = 0; ///< of the steps, those at which the strategy had one
  uint64_t maxSteps = 0;
  uint64_t earlyAt = 0; ///< tolerant: step at which the schedule woke somebody early
  uint32_t preemptions = 0;
  uint32_t switches = 0;
  uint64_t lastNovelty = 0; ///< step at which a thread was somewhere new, began or ended
  uint64_t lastSwitch = 0;  ///< step at which another thread took over
  ThreadIndex granted = ThreadIndex::None; ///< a starved thread whose turn it is
  uint64_t grantEnds = 0;                  ///< at this step
  uint64_t digest = 0;
  Fiber* zombies = nullptr; ///< detached and finished, donors not yet returned
  IoPoll ioPoll = nullptr;
  void (*deliverSignals)(Fiber*) = nullptr;
  uint32_t waiting[kWaitKinds] = {}; ///< fibers in wait queues, by WaitKind
  uint64_t enabled[kMaxThreads / 64] = {};
  Fiber* fibers[kMaxThreads] = {};
};

extern SchedulerState scheduler;

/// Without a controller most points decide nothing: true for those. The others keep a run fair:
/// every now and then a thread that never blocks must give way.
inline bool passesQuietly(const Fiber* fiber) {
  constexpr uint64_t fairness = 1024;
  return scheduler.quiet && ++scheduler.steps % fairness != 0 && !fiber->pendingSignals &&
         !fiber->cancelRequested;
}

/// The same for an operation on a lock of this kind, for which nobody waits.
inline bool passesQuietly(WaitKind kind) {
  return scheduler.quiet && scheduler.waiting[static_cast<uint32_t>(kind)] == 0 &&
         passesQuietly(scheduler.current);
}

/// The strategy before the snapshot point: non-preemptive, nothing logged.
Strategy* startStrategy();

} // namespace heddle::rt
