#include "runtime/sync/rwlock_model.h"

#include "runtime/base/real.h"
#include "runtime/sync/blocking.h"
#include "runtime/sync/mutex_model.h"

#include <errno.h>

using namespace heddle;
using namespace heddle::rt;

namespace {

enum class Side { Read, Write };

WaitKind waitKind(Side side) {
  return side == Side::Read ? WaitKind::RwLockRead : WaitKind::RwLockWrite;
}

EventKind eventKind(Side side) {
  return side == Side::Read ? EventKind::ReadLock : EventKind::WriteLock;
}

/// Whether a waiting writer goes before a reader that comes now.
bool writerGoesFirst(const pthread_rwlock_t* lock) {
  return lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP &&
         waiterCount(lock, WaitKind::RwLockWrite) != 0;
}

void wakeWaiters(const pthread_rwlock_t* lock) {
  wakeAll(lock, WaitKind::RwLockWrite);
  if (!writerGoesFirst(lock))
    wakeAll(lock, WaitKind::RwLockRead);
}

int attempt(pthread_rwlock_t* lock, Side side) {
  if (side == Side::Read && writerGoesFirst(lock))
    return EBUSY;
  int error = side == Side::Read ? real::pthread_rwlock_tryrdlock(lock)
                                 : real::pthread_rwlock_trywrlock(lock);
  if (error != 0)
    return error;
  acquired(lock, side == Side::Read);
  taken(lock, WaitKind::RwLockWrite);
  if (side == Side::Write)
    taken(lock, WaitKind::RwLockRead);
  return 0;
}

int acquire(pthread_rwlock_t* lock, Side side, const Timeout& timeout) {
  int error = attemptUntil(eventKind(side), lock, waitKind(side), timeout, [=] {
    int result = attempt(lock, side);
    return result == EBUSY && lock->__data.__cur_writer == ownerId() ? EDEADLK : result;
  });
  if (error == ETIMEDOUT && side == Side::Write && !writerGoesFirst(lock))
    wakeAll(lock, WaitKind::RwLockRead); // they may have waited for this writer only
  return error;
}

/// Unlike a mutex, glibc checks the timeout of a read-write lock even when it can be had at once.
int timedLock(pthread_rwlock_t* lock, Side side, const Timeout& timeout) {
  if (!waitableClock(timeout.clock) || (timeout.time && !validTime(*timeout.time)))
    return EINVAL;
  point(eventKind(side), lock);
  return acquire(lock, side, timeout);
}

int tryLock(pthread_rwlock_t* lock, Side side) {
  point(eventKind(side), lock);
  return attemptOnce(eventKind(side), lock, [=] { return attempt(lock, side); });
}

} // namespace

HEDDLE_INTERPOSE int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  if (!controlled())
    return real::pthread_rwlock_rdlock(lock);
  return timedLock(lock, Side::Read, kForever);
}

HEDDLE_INTERPOSE int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  if (!controlled())
    return real::pthread_rwlock_wrlock(lock);
  return timedLock(lock, Side::Write, kForever);
}

HEDDLE_INTERPOSE int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* time) {
  if (!controlled())
    return real::pthread_rwlock_timedrdlock(lock, time);
  return timedLock(lock, Side::Read, {CLOCK_REALTIME, time});
}

HEDDLE_INTERPOSE int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* time) {
  if (!controlled())
    return real::pthread_rwlock_timedwrlock(lock, time);
  return timedLock(lock, Side::Write, {CLOCK_REALTIME, time});
}

HEDDLE_INTERPOSE int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                                const timespec* time) {
  if (!controlled())
    return real::pthread_rwlock_clockrdlock(lock, clock, time);
  return timedLock(lock, Side::Read, {clock, time});
}

HEDDLE_INTERPOSE int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                                const timespec* time) {
  if (!controlled())
    return real::pthread_rwlock_clockwrlock(lock, clock, time);
  return timedLock(lock, Side::Write, {clock, time});
}

HEDDLE_INTERPOSE int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  if (!controlled())
    return real::pthread_rwlock_tryrdlock(lock);
  return tryLock(lock, Side::Read);
}

HEDDLE_INTERPOSE int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  if (!controlled())
    return real::pthread_rwlock_trywrlock(lock);
  return tryLock(lock, Side::Write);
}

HEDDLE_INTERPOSE int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  if (!controlled())
    return real::pthread_rwlock_unlock(lock);
  point(EventKind::RwUnlock, lock);
  int error = real::pthread_rwlock_unlock(lock);
  if (error != 0)
    return error;
  released(lock);
  wakeWaiters(lock);
  return 0;
}
