#include "runtime/threads/thread_model.h"

#include "runtime/base/real.h"
#include "runtime/core/cancellation.h"
#include "runtime/memory/heap.h"
#include "runtime/sync/blocking.h"

#include <string.h>

using namespace heddle;
using namespace heddle::rt;

namespace {

struct CreationOptions {
  StackRequest stack;
  bool detached = false;
};

/// Whether the attributes name memory for the stack: without it libc computes an address from zero.
bool isGiven(const void* low, const CreationOptions& options) {
  return reinterpret_cast<uintptr_t>(low) + options.stack.bytes != 0;
}

CreationOptions readAttributes(const pthread_attr_t* attributes) {
  CreationOptions options;
  if (!attributes)
    return options;
  int state = PTHREAD_CREATE_JOINABLE;
  pthread_attr_getdetachstate(attributes, &state);
  options.detached = state == PTHREAD_CREATE_DETACHED;
  void* low = nullptr;
  if (pthread_attr_getstack(attributes, &low, &options.stack.bytes) == 0 && isGiven(low, options))
    options.stack.ownAddress = reinterpret_cast<uintptr_t>(low);
  return options;
}

/// An attribute object may name the signal mask of the new thread; else it inherits its creator's.
void applySignalMask(Fiber* fiber, const pthread_attr_t* attributes) {
  sigset_t mask;
  if (attributes && pthread_attr_getsigmask_np(attributes, &mask) == 0)
    memcpy(&fiber->signalMask, &mask, sizeof fiber->signalMask);
}

/// Why `fiber` cannot be joined by the running one, or 0. Threads that join each other are not
/// refused: in glibc 2.36 they hang, and a deadlock says more than an error number.
int refuseJoin(const Fiber* fiber) {
  if (!fiber)
    return ESRCH;
  if (fiber->detached)
    return EINVAL;
  if (fiber == self())
    return EDEADLK;
  return waiterCount(fiber, WaitKind::Join) == 0 ? 0 : EINVAL;
}

void collect(Fiber* fiber, void** result) {
  if (result)
    *result = fiber->result;
  fiber->joined = true;
  fiber->joinedBy = self();
  recycle(fiber);
}

int join(pthread_t thread, void** result, const Timeout& timeout) {
  point(EventKind::ThreadJoin, fiberOf(thread));
  Fiber* fiber = fiberOf(thread);
  if (int error = refuseJoin(fiber)) {
    note(EventKind::ThreadJoin, fiber, static_cast<uint8_t>(error));
    return error;
  }
  cancellationPoint();
  int error = attemptUntil(EventKind::ThreadJoin, fiber, WaitKind::Join, timeout,
                           [=] { return fiber->finished ? 0 : EBUSY; });
  if (error == 0)
    collect(fiber, result);
  return error;
}

} // namespace

HEDDLE_INTERPOSE int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                    void* (*start)(void*), void* argument) {
  if (!controlled()) {
    useHeapLock(); // real threads from here on: a child of the program's own fork()
    return real::pthread_create(thread, attributes, start, argument);
  }
  point(EventKind::ThreadCreate, nullptr);
  CreationOptions options = readAttributes(attributes);
  int error = 0;
  Fiber* fiber = createFiber(start, argument, options.stack, error);
  if (!fiber)
    return error;
  fiber->detached = options.detached;
  memcpy(fiber->name, self()->name, sizeof fiber->name);
  applySignalMask(fiber, attributes);
  note(EventKind::ThreadCreate, fiber, 0);
  *thread = fiber->fsBase;
  return 0;
}

HEDDLE_INTERPOSE int pthread_join(pthread_t thread, void** result) {
  if (!controlled())
    return real::pthread_join(thread, result);
  return join(thread, result, kForever);
}

HEDDLE_INTERPOSE int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* time) {
  if (!controlled())
    return real::pthread_timedjoin_np(thread, result, time);
  return join(thread, result, {CLOCK_REALTIME, time});
}

HEDDLE_INTERPOSE int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t clock,
                                          const timespec* time) {
  if (!controlled())
    return real::pthread_clockjoin_np(thread, result, clock, time);
  if (!waitableClock(clock))
    return EINVAL;
  return join(thread, result, {clock, time});
}

HEDDLE_INTERPOSE int pthread_tryjoin_np(pthread_t thread, void** result) {
  if (!controlled())
    return real::pthread_tryjoin_np(thread, result);
  point(EventKind::ThreadJoin, fiberOf(thread));
  Fiber* fiber = fiberOf(thread);
  if (!fiber)
    return ESRCH;
  int error = attemptOnce(EventKind::ThreadJoin, fiber,
                          [=] { return fiber->finished ? refuseJoin(fiber) : EBUSY; });
  if (error == 0)
    collect(fiber, result);
  return error;
}

HEDDLE_INTERPOSE int pthread_detach(pthread_t thread) {
  if (!controlled())
    return real::pthread_detach(thread);
  point(EventKind::ThreadDetach, fiberOf(thread));
  Fiber* fiber = fiberOf(thread);
  if (!fiber)
    return ESRCH;
  if (fiber->detached)
    return EINVAL;
  if (waiterCount(fiber, WaitKind::Join) != 0)
    return 0; // somebody joins it already: as in glibc that stays so
  fiber->detached = true;
  if (fiber->finished)
    recycle(fiber);
  return 0;
}

HEDDLE_INTERPOSE void pthread_exit(void* result) {
  if (controlled())
    leaveThread(result);
  real::pthread_exit(result);
  __builtin_unreachable();
}
