#include "runtime/sync/mutex_model.h"

#include "runtime/base/real.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/sync/blocking.h"
#include "runtime/sync/lock_point.h"
#include "runtime/sync/outside_wait.h"

#include <errno.h>
#include <linux/futex.h>

namespace heddle::rt {

namespace {

constexpr int kTypeMask = 3;     ///< of glibc's __kind: normal, recursive, error-checking, adaptive
constexpr int kRobustFlag = 16;  ///< of glibc's __kind
constexpr int kInheritFlag = 32; ///< of glibc's __kind
constexpr int kSharedFlag = 128; ///< of glibc's __kind

bool robustUsed = false;

int typeOf(const pthread_mutex_t* mutex) { return mutex->__data.__kind & kTypeMask; }

/// A robust or priority-inheriting mutex has its owner in the lock word too, but glibc keeps
/// __owner for all types.
bool ownedByRunningFiber(const pthread_mutex_t* mutex) {
  return mutex->__data.__owner == ownerId();
}

bool stillHeld(const pthread_mutex_t* mutex) {
  return typeOf(mutex) == PTHREAD_MUTEX_RECURSIVE_NP && mutex->__data.__count != 0;
}

/// For a priority-inheriting mutex whose owner died glibc asks the kernel, which writes the id of
/// the OS thread that all fibers share.
void correctOwner(pthread_mutex_t* mutex) {
  if (!(mutex->__data.__kind & kInheritFlag))
    return;
  auto* word = reinterpret_cast<uint32_t*>(&mutex->__data.__lock);
  *word = (*word & ~FUTEX_TID_MASK) | static_cast<uint32_t>(ownerId());
}

int attempt(pthread_mutex_t* mutex) {
  int error = real::pthread_mutex_trylock(mutex);
  if (error != 0 && error != EOWNERDEAD)
    return error;
  if (error == EOWNERDEAD)
    correctOwner(mutex);
  robustUsed |= (mutex->__data.__kind & kRobustFlag) != 0;
  acquired(mutex);
  taken(mutex, WaitKind::Mutex);
  return error;
}

/// The lock word of a mutex whose owner died says so, and who takes it is told.
bool looksFree(void* object) {
  auto* word = static_cast<uint32_t*>(object); // the mutex begins with it
  uint32_t value = __atomic_load_n(word, __ATOMIC_RELAXED);
  return value == 0 || (value & FUTEX_OWNER_DIED) != 0;
}

/// A thread of this process that releases it wakes the others of this process; what a child
/// releases is looked for.
int waitForMutex(pthread_mutex_t* mutex, const Timeout& timeout) {
  if (reachesOut((mutex->__data.__kind & kSharedFlag) != 0))
    return waitForOutsiders(looksFree, mutex, timeout);
  return blockUntil(mutex, WaitKind::Mutex, timeout);
}

int timedLock(pthread_mutex_t* mutex, const Timeout& timeout) {
  point(EventKind::MutexLock, mutex);
  return acquireMutex(mutex, timeout);
}

} // namespace

int ownerId() {
  pthread_mutex_t probe = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  real::pthread_mutex_trylock(&probe);
  int id = probe.__data.__owner;
  real::pthread_mutex_unlock(&probe);
  return id;
}

int acquireMutex(pthread_mutex_t* mutex, const Timeout& timeout) {
  auto wait = [&] { return waitForMutex(mutex, timeout); };
  return attemptBetween(EventKind::MutexLock, mutex, wait, [=] {
    int error = attempt(mutex);
    bool mine = error == EBUSY && typeOf(mutex) == PTHREAD_MUTEX_ERRORCHECK_NP &&
                ownedByRunningFiber(mutex);
    return mine ? EDEADLK : error;
  });
}

int releaseMutex(pthread_mutex_t* mutex) {
  int error = real::pthread_mutex_unlock(mutex);
  if (error != 0)
    return error;
  released(mutex);
  if (!stillHeld(mutex))
    wakeAll(mutex, WaitKind::Mutex);
  return 0;
}

/// The list is the one that the kernel walks when a thread dies: see get_robust_list(2). A mutex
/// that is locked on purpose shows where its head is.
void abandonRobustMutexes() {
  if (!robustUsed)
    return;
  pthread_mutex_t probe = PTHREAD_MUTEX_INITIALIZER;
  probe.__data.__kind = kRobustFlag;
  real::pthread_mutex_trylock(&probe);
  auto* head = reinterpret_cast<robust_list_head*>(probe.__data.__list.__prev);
  real::pthread_mutex_unlock(&probe);
  for (robust_list* entry = head->list.next;;) {
    constexpr uintptr_t inheritsPriority = 1;
    auto address = reinterpret_cast<uintptr_t>(entry) & ~inheritsPriority;
    if (address == reinterpret_cast<uintptr_t>(&head->list))
      return;
    entry = reinterpret_cast<robust_list*>(address)->next;
    auto* mutex = reinterpret_cast<pthread_mutex_t*>(address + head->futex_offset);
    auto* word = reinterpret_cast<uint32_t*>(mutex);
    *word = (*word & FUTEX_WAITERS) | FUTEX_OWNER_DIED;
    released(mutex);
    note(EventKind::MutexUnlock, mutex, 0); // what its owner did comes before who takes it over
    wakeAll(mutex, WaitKind::Mutex);
  }
}

} // namespace heddle::rt

using namespace heddle;
using namespace heddle::rt;

HEDDLE_INTERPOSE int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (!controlled())
    return real::pthread_mutex_lock(mutex);
  if (passesQuietly(WaitKind::Mutex))
    if (int error = attempt(mutex); error != EBUSY)
      return error;
  lockPoint(EventKind::MutexLock, mutex);
  return acquireMutex(mutex, kForever);
}

HEDDLE_INTERPOSE int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* time) {
  if (!controlled())
    return real::pthread_mutex_timedlock(mutex, time);
  return timedLock(mutex, {CLOCK_REALTIME, time});
}

HEDDLE_INTERPOSE int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                             const timespec* time) {
  if (!controlled())
    return real::pthread_mutex_clocklock(mutex, clock, time);
  if (!waitableClock(clock))
    return EINVAL;
  return timedLock(mutex, {clock, time});
}

HEDDLE_INTERPOSE int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  if (!controlled())
    return real::pthread_mutex_trylock(mutex);
  point(EventKind::MutexTryLock, mutex);
  return attemptOnce(EventKind::MutexTryLock, mutex, [=] { return attempt(mutex); });
}

HEDDLE_INTERPOSE int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (!controlled())
    return real::pthread_mutex_unlock(mutex);
  if (!passesQuietly(WaitKind::Mutex))
    lockPoint(EventKind::MutexUnlock, mutex);
  return releaseMutex(mutex);
}
