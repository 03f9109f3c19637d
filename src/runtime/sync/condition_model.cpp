#include "runtime/sync/condition_model.h"

#include "runtime/base/real.h"
#include "runtime/core/cancellation.h"
#include "runtime/memory/sync_lifetime.h"
#include "runtime/sync/mutex_model.h"
#include "runtime/sync/outside_wait.h"

#include <errno.h>

using namespace heddle;
using namespace heddle::rt;

namespace {

constexpr unsigned kSharedFlag = 1;    ///< of glibc's __wrefs, set by pthread_cond_init
constexpr unsigned kMonotonicFlag = 2; ///< the same
uint32_t destroyers = 0;               ///< fibers that wait in pthread_cond_destroy

clockid_t clockOf(const pthread_cond_t* condition) {
  return condition->__data.__wrefs & kMonotonicFlag ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

/// Where threads wait that destroy a condition variable which is still waited for.
const void* destroyQueue(const pthread_cond_t* condition) { return &condition->__data.__wrefs; }

void wakeDestroyers(const pthread_cond_t* condition) {
  if (destroyers != 0 && waiterCount(condition, WaitKind::Condition) == 0)
    wakeAll(destroyQueue(condition), WaitKind::Condition);
}

bool reachesOut(const pthread_cond_t* condition) {
  return heddle::rt::reachesOut((condition->__data.__wrefs & kSharedFlag) != 0);
}

/// A waiter that may be meant by a signal of another process looks again now and then: it is woken
/// without a cause, as POSIX allows.
WakeReason waitWithGlances(pthread_cond_t* condition, uint64_t deadline) {
  uint64_t glance = glanceDeadline(deadline);
  WakeReason reason = blockOn(condition, WaitKind::Condition, glance);
  return reason == WakeReason::TimedOut && glance < deadline ? WakeReason::Woken : reason;
}

/// Nobody has run since the mutex was released. A timeout in the past still lets others have the
/// mutex for a moment.
WakeReason enqueueAndWait(pthread_cond_t* condition, const Timeout& timeout) {
  uint64_t deadline = deadlineOf(timeout);
  if (deadline > now() && reachesOut(condition))
    return waitWithGlances(condition, deadline);
  if (deadline > now())
    return blockOn(condition, WaitKind::Condition, deadline);
  yieldNow(EventKind::CondWait, condition);
  return WakeReason::TimedOut;
}

int wait(pthread_cond_t* condition, pthread_mutex_t* mutex, const Timeout& timeout) {
  if (timeout.time && !validTime(*timeout.time))
    return EINVAL;
  point(EventKind::CondWait, condition);
  cancellationPoint();
  if (int error = releaseMutex(mutex))
    return error;
  note(EventKind::MutexUnlock, mutex, 0);
  // Also an asynchronous cancellation must find the mutex locked again.
  bool asynchronous = self()->cancelAsynchronous;
  self()->cancelAsynchronous = false;
  WakeReason reason = enqueueAndWait(condition, timeout);
  bool timedOut = reason == WakeReason::TimedOut;
  note(EventKind::CondWake, condition, timedOut ? ETIMEDOUT : 0);
  wakeDestroyers(condition);
  point(EventKind::MutexLock, mutex);
  int error = acquireMutex(mutex, kForever);
  self()->cancelAsynchronous = asynchronous;
  if (reason == WakeReason::Cancelled || asynchronous)
    cancellationPoint();
  if (error != 0)
    return error;
  return timedOut ? ETIMEDOUT : 0;
}

} // namespace

HEDDLE_INTERPOSE int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!controlled())
    return real::pthread_cond_wait(condition, mutex);
  return wait(condition, mutex, kForever);
}

HEDDLE_INTERPOSE int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                            const timespec* time) {
  if (!controlled())
    return real::pthread_cond_timedwait(condition, mutex, time);
  return wait(condition, mutex, {clockOf(condition), time});
}

HEDDLE_INTERPOSE int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                            clockid_t clock, const timespec* time) {
  if (!controlled())
    return real::pthread_cond_clockwait(condition, mutex, clock, time);
  if (!waitableClock(clock))
    return EINVAL;
  return wait(condition, mutex, {clock, time});
}

HEDDLE_INTERPOSE int pthread_cond_signal(pthread_cond_t* condition) {
  if (!controlled())
    return real::pthread_cond_signal(condition);
  point(EventKind::CondSignal, condition);
  wakeOne(condition, WaitKind::Condition);
  if (reachesOut(condition))
    real::pthread_cond_signal(condition);
  return 0;
}

HEDDLE_INTERPOSE int pthread_cond_broadcast(pthread_cond_t* condition) {
  if (!controlled())
    return real::pthread_cond_broadcast(condition);
  point(EventKind::CondBroadcast, condition);
  wakeEach(condition, WaitKind::Condition);
  if (reachesOut(condition))
    real::pthread_cond_broadcast(condition);
  return 0;
}

/// glibc waits here until nobody waits any more; a program that never wakes them hangs.
HEDDLE_INTERPOSE int pthread_cond_destroy(pthread_cond_t* condition) {
  if (!controlled())
    return real::pthread_cond_destroy(condition);
  while (waiterCount(condition, WaitKind::Condition) != 0) {
    ++destroyers;
    blockOn(destroyQueue(condition), WaitKind::Condition, kNoDeadline);
    --destroyers;
  }
  int error = real::pthread_cond_destroy(condition);
  if (error == 0)
    markDestroyed(condition);
  return error;
}
