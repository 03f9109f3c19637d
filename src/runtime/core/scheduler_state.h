#pragma once

#include "runtime/core/fiber.h"
#include "runtime/core/scheduler.h"

/// The scheduler's variables: run state, in one place so that a run dirties few pages.
namespace heddle::rt {

inline constexpr uint32_t kWaitKinds = static_cast<uint32_t>(WaitKind::Library) + 1;

struct SchedulerState {
  Fiber* current = nullptr;
  Strategy* strategy = nullptr;
  DirectedStrategy* directed = nullptr; ///< Strategy::directed
  uint32_t threads = 0;                 ///< fibers ever made
  uint32_t alive = 0;
  uint32_t peak = 0;
  uint32_t enabledCount = 0;
  uint32_t words = 1; ///< of `enabled` in use
  uint32_t timedWaiters = 0;
  uint32_t idleYields = 0;
  bool controlled = false;
  bool quiet = false;        ///< no controller: the default schedule, and nobody looks at the run
  bool replaying = false;    ///< Following::Exactly
  bool tolerant = false;     ///< Following::WhereItApplies
  bool holdsThreads = false; ///< StrategyTraits, as the next ones
  bool timeAny = false;
  bool delays = false; ///< as timeAny, as far as threads of a busy machine are delayed
  bool spurious = false;
  bool untilIdle = false;
  bool checkHeap = false; ///< sync objects must not lie in freed memory
  bool wantsExecuted = false;
  bool wantsAllChoices = false;
  bool exiting = false;  ///< handlers of exit() and destructors run
  bool halves = false;   ///< kPlanHalves
  bool newPlace = false; ///< the last step was the first of its thread at its site
  uint64_t steps = 0;
  uint64_t choices = 0; ///< of the steps, those at which the strategy had one
  uint64_t maxSteps = 0;
  uint64_t earlyAt = 0; ///< tolerant: step at which the schedule woke somebody early
  uint32_t preemptions = 0;
  uint32_t switches = 0;
  uint64_t lastNovelty = 0;    ///< step at which a thread was somewhere new, began or ended
  uint64_t lastChange = 0;     ///< step at which a thread was seen to make progress
  uint64_t lastSwitch = 0;     ///< step at which another thread took over
  uint64_t turnSteps = 0;      ///< steps after which others get a turn, whatever the thread does
  uint64_t roundSteps = ~0ull; ///< the same for a thread that goes round
  uint64_t repeatedSum = 0;    ///< of the memory when everybody repeated; 0: unknown
  uint64_t proofFrom = 0;      ///< step from which on everybody must be shown to repeat
  uint64_t sumFrom = 0;        ///< proofFrom when that sum was made
  uint64_t stillAt = 0;        ///< step at which everybody was last seen to repeat or stand still
  uint64_t standAgainAt = 0;   ///< step before which nobody asks whether everybody stands still
  uint64_t sumAgainAt = 0;     ///< step before which it is not made again
  uint64_t sumInterval = 1000;
  uint64_t digest = 0;
  uint64_t delayed = 0;     ///< nanoseconds that the strategy let go on although somebody could run
  Fiber* zombies = nullptr; ///< detached and finished, donors not yet returned
  Fiber* spare = nullptr;   ///< without a controller: gone, to be used again
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
  // A prime: a loop must not be at the same place, with a lock held, each time.
  constexpr uint64_t fairness = 1021;
  if (!scheduler.quiet || (scheduler.steps + 1) % fairness == 0 || fiber->pendingSignals ||
      fiber->cancelRequested)
    return false; // who decides counts the step
  ++scheduler.steps;
  return true;
}

/// The same for an operation on a lock of this kind, for which nobody waits.
inline bool passesQuietly(WaitKind kind) {
  return scheduler.quiet && scheduler.waiting[static_cast<uint32_t>(kind)] == 0 &&
         passesQuietly(scheduler.current);
}

/// The strategy before the snapshot point: non-preemptive, nothing logged.
Strategy* startStrategy();

} // namespace heddle::rt
