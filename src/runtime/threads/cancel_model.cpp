#include "runtime/base/real.h"
#include "runtime/core/cancellation.h"
#include "runtime/core/scheduler.h"
#include "runtime/threads/thread_model.h"

#include <errno.h>

namespace heddle::rt {

namespace {

/// A fiber without a place to land has not begun or is already on its way out.
bool cancellable(const Fiber* fiber) {
  return fiber->cancelRequested && fiber->cancelEnabled && fiber->cancelBuffer;
}

bool waitsAtCancellationPoint(const Fiber* fiber) {
  switch (fiber->waitKind) {
  case WaitKind::Condition:
  case WaitKind::Join:
  case WaitKind::Semaphore:
  case WaitKind::Sleep:
  case WaitKind::Io:
    return true;
  case WaitKind::None:
  case WaitKind::Mutex:
  case WaitKind::RwLockRead:
  case WaitKind::RwLockWrite:
  case WaitKind::SpinLock:
  case WaitKind::Barrier:
  case WaitKind::Once:
  case WaitKind::Guard:
  case WaitKind::Futex:
  case WaitKind::Library:
    return false;
  }
  return false;
}

int requestCancellation(Fiber* fiber) {
  if (fiber->finished)
    return 0;
  fiber->cancelRequested = true;
  if (fiber == self())
    asynchronousCancellationPoint();
  else if (fiber->state == ThreadState::Blocked && cancellable(fiber) &&
           (fiber->cancelAsynchronous || waitsAtCancellationPoint(fiber)))
    wakeFiber(fiber, WakeReason::Cancelled);
  return 0;
}

} // namespace

void cancellationPoint() {
  if (controlled() && cancellable(self()))
    leaveThread(PTHREAD_CANCELED);
}

void asynchronousCancellationPoint() {
  if (self()->cancelAsynchronous)
    cancellationPoint();
}

} // namespace heddle::rt

using namespace heddle;
using namespace heddle::rt;

HEDDLE_INTERPOSE int pthread_cancel(pthread_t thread) {
  if (!controlled())
    return real::pthread_cancel(thread);
  Fiber* fiber = fiberOf(thread);
  point(EventKind::ThreadCancel, fiber);
  fiber = fiberOf(thread);
  return fiber ? requestCancellation(fiber) : ESRCH;
}

HEDDLE_INTERPOSE void pthread_testcancel() {
  if (!controlled())
    return real::pthread_testcancel();
  cancellationPoint();
}

HEDDLE_INTERPOSE int pthread_setcancelstate(int state, int* old) {
  if (!controlled())
    return real::pthread_setcancelstate(state, old);
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
    return EINVAL;
  Fiber* fiber = self();
  if (old)
    *old = fiber->cancelEnabled ? PTHREAD_CANCEL_ENABLE : PTHREAD_CANCEL_DISABLE;
  fiber->cancelEnabled = state == PTHREAD_CANCEL_ENABLE;
  asynchronousCancellationPoint();
  return 0;
}

HEDDLE_INTERPOSE int pthread_setcanceltype(int type, int* old) {
  if (!controlled())
    return real::pthread_setcanceltype(type, old);
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
    return EINVAL;
  Fiber* fiber = self();
  if (old)
    *old = fiber->cancelAsynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  fiber->cancelAsynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  asynchronousCancellationPoint();
  return 0;
}
