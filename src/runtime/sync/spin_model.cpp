#include "runtime/sync/spin_model.h"

#include "runtime/base/real.h"
#include "runtime/sync/blocking.h"

using namespace heddle;
using namespace heddle::rt;

namespace {

int attempt(pthread_spinlock_t* lock) {
  int error = real::pthread_spin_trylock(lock);
  if (error != 0)
    return error;
  acquired(const_cast<const int*>(lock));
  taken(const_cast<const int*>(lock), WaitKind::SpinLock);
  return 0;
}

} // namespace

HEDDLE_INTERPOSE int pthread_spin_lock(pthread_spinlock_t* lock) {
  if (!controlled())
    return real::pthread_spin_lock(lock);
  const void* object = const_cast<const int*>(lock);
  point(EventKind::SpinLock, object);
  return attemptUntil(EventKind::SpinLock, object, WaitKind::SpinLock, kForever,
                      [=] { return attempt(lock); });
}

HEDDLE_INTERPOSE int pthread_spin_trylock(pthread_spinlock_t* lock) {
  if (!controlled())
    return real::pthread_spin_trylock(lock);
  const void* object = const_cast<const int*>(lock);
  point(EventKind::SpinLock, object);
  return attemptOnce(EventKind::SpinLock, object, [=] { return attempt(lock); });
}

HEDDLE_INTERPOSE int pthread_spin_unlock(pthread_spinlock_t* lock) {
  if (!controlled())
    return real::pthread_spin_unlock(lock);
  const void* object = const_cast<const int*>(lock);
  point(EventKind::SpinUnlock, object);
  int error = real::pthread_spin_unlock(lock);
  released(object);
  wakeAll(object, WaitKind::SpinLock);
  return error;
}
