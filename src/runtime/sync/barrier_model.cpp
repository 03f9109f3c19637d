#include "runtime/sync/barrier_model.h"

#include "runtime/base/real.h"
#include "runtime/core/scheduler.h"
#include "runtime/memory/sync_lifetime.h"

#include <errno.h>

using namespace heddle;
using namespace heddle::rt;

namespace {

/// The head of glibc's struct pthread_barrier.
struct BarrierState {
  uint32_t arrived;
  uint32_t round;
  uint32_t count;
};

BarrierState& stateOf(pthread_barrier_t* barrier) {
  return *reinterpret_cast<BarrierState*>(barrier);
}

} // namespace

HEDDLE_INTERPOSE int pthread_barrier_wait(pthread_barrier_t* barrier) {
  if (!controlled())
    return real::pthread_barrier_wait(barrier);
  point(EventKind::BarrierWait, barrier);
  BarrierState& state = stateOf(barrier);
  if (++state.arrived == state.count) {
    state.arrived = 0;
    wakeEach(barrier, WaitKind::Barrier);
    halfPoint(EventKind::BarrierLeave, barrier);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  note(EventKind::BarrierWait, barrier, EBUSY);
  bool released = false;
  while (!released) // a signal handler may have run: the round goes on
    released = blockOn(barrier, WaitKind::Barrier, kNoDeadline) == WakeReason::Woken;
  note(EventKind::BarrierWait, barrier, 0);
  halfPoint(EventKind::BarrierLeave, barrier);
  return 0;
}

/// Threads that the last arrival has released may still be on their way out: that is allowed.
HEDDLE_INTERPOSE int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  if (!controlled())
    return real::pthread_barrier_destroy(barrier);
  checkUnused(barrier, "a barrier");
  if (waiterCount(barrier, WaitKind::Barrier) != 0)
    return EBUSY;
  markDestroyed(barrier);
  return 0;
}
