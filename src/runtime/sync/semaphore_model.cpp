#include "runtime/sync/semaphore_model.h"

#include "runtime/base/real.h"
#include "runtime/core/cancellation.h"
#include "runtime/signals/signal_model.h"
#include "runtime/sync/blocking.h"
#include "runtime/sync/outside_wait.h"

using namespace heddle;
using namespace heddle::rt;

namespace {

int failWith(int error) {
  errno = error;
  return -1;
}

/// 0 or an error number, EBUSY for a value of zero; errno stays as it was.
int attempt(sem_t* semaphore) {
  int saved = errno;
  int error = real::sem_trywait(semaphore) == 0 ? 0 : errno;
  errno = saved;
  int value = 0;
  if (error == 0 && sem_getvalue(semaphore, &value) == 0 && value == 0)
    taken(semaphore, WaitKind::Semaphore);
  return error == EAGAIN ? EBUSY : error;
}

/// glibc's layout: the value and who waits in 8 bytes, then what futex calls need.
bool isShared(const sem_t* semaphore) {
  int flag;
  __builtin_memcpy(&flag, semaphore->__size + 8, sizeof flag);
  return flag != 0;
}

bool hasValue(void* object) {
  int value = 0;
  return sem_getvalue(static_cast<sem_t*>(object), &value) == 0 && value > 0;
}

int waitForValue(sem_t* semaphore, const Timeout& timeout) {
  if (reachesOut(isShared(semaphore)))
    return waitForOutsiders(hasValue, semaphore, timeout);
  return blockUntil(semaphore, WaitKind::Semaphore, timeout);
}

int wait(sem_t* semaphore, const Timeout& timeout) {
  if (!waitableClock(timeout.clock) || (timeout.time && !validTime(*timeout.time)))
    return failWith(EINVAL);
  point(EventKind::SemWait, semaphore);
  cancellationPoint();
  uint32_t interruptions = handlerCalls(self()).interrupting;
  auto wait = [&] { return waitForValue(semaphore, timeout); };
  int error = attemptBetween(EventKind::SemWait, semaphore, wait, [=] {
    int result = attempt(semaphore);
    bool interrupted = handlerCalls(self()).interrupting != interruptions;
    return result == EBUSY && interrupted ? EINTR : result;
  });
  return error == 0 ? 0 : failWith(error);
}

} // namespace

HEDDLE_INTERPOSE int sem_wait(sem_t* semaphore) {
  if (!controlled())
    return real::sem_wait(semaphore);
  return wait(semaphore, kForever);
}

HEDDLE_INTERPOSE int sem_timedwait(sem_t* semaphore, const timespec* time) {
  if (!controlled())
    return real::sem_timedwait(semaphore, time);
  return wait(semaphore, {CLOCK_REALTIME, time});
}

HEDDLE_INTERPOSE int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* time) {
  if (!controlled())
    return real::sem_clockwait(semaphore, clock, time);
  return wait(semaphore, {clock, time});
}

HEDDLE_INTERPOSE int sem_trywait(sem_t* semaphore) {
  if (!controlled())
    return real::sem_trywait(semaphore);
  point(EventKind::SemWait, semaphore);
  int error = attemptOnce(EventKind::SemWait, semaphore, [=] { return attempt(semaphore); });
  if (error == 0)
    return 0;
  return failWith(error == EBUSY ? EAGAIN : error);
}

HEDDLE_INTERPOSE int sem_post(sem_t* semaphore) {
  if (!controlled())
    return real::sem_post(semaphore);
  point(EventKind::SemPost, semaphore);
  int result = real::sem_post(semaphore);
  if (result == 0)
    wakeAll(semaphore, WaitKind::Semaphore);
  return result;
}
