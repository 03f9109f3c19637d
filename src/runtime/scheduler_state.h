#pragma once

#include "fiber.h"
#include "scheduler.h"

/// The scheduler's variables: run state, in one place so that a run dirties few pages.
namespace heddle::rt {

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
  bool replaying = false;
  bool timeAny = false;
  bool spurious = false;
  bool untilIdle = false;
  bool strategyWatches = false; ///< Strategy::wantsExecuted
  uint64_t steps = 0;
  uint64_t maxSteps = 0;
  uint64_t lastNovelty = 0; ///< step at which a thread was somewhere new, began or ended
  uint64_t lastSwitch = 0;  ///< step at which another thread took over
  uint64_t digest = 0;
  Fiber* zombies = nullptr; ///< detached and finished, donors not yet returned
  IoPoll ioPoll = nullptr;
  void (*deliverSignals)(Fiber*) = nullptr;
  uint64_t enabled[kMaxThreads / 64] = {};
  Fiber* fibers[kMaxThreads] = {};
};

extern SchedulerState scheduler;

/// The strategy before the snapshot point: non-preemptive, nothing logged.
Strategy* startStrategy();
/// Maps a fiber's shadow stack once per process.
void* mapShadow(uintptr_t address, size_t bytes);

} // namespace heddle::rt
