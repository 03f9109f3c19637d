#include "runtime/base/arena.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/core/scheduler.h"
#include "runtime/core/thread_id.h"
#include "runtime/memory/donor.h"
#include "runtime/sync/openmp_model.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// What a program may ask or say about a thread. Fibers have no thread in the kernel, so that
/// glibc's functions would ask the kernel about nobody, or about somebody else.

namespace heddle::rt {} // namespace heddle::rt

using namespace heddle;
using namespace heddle::rt;

namespace {

Fiber* known(pthread_t thread) {
  Fiber* fiber = fiberOf(thread);
  return fiber && !fiber->finished ? fiber : nullptr;
}

struct Stack {
  uintptr_t low;
  size_t bytes;
};

Stack stackOf(const Fiber* fiber) {
  if (fiber->ownStack)
    return {fiber->ownStack, fiber->ownStackBytes};
  if (fiber->donor)
    return {fiber->donor->stackLow, fiber->donor->stackBytes};
  return {kMainStackBase, kMainStackBytes};
}

/// Whether the main thread runs on the stack that the runtime has for it.
bool contains(const Stack& stack, const void* address) {
  return reinterpret_cast<uintptr_t>(address) - stack.low < stack.bytes;
}

} // namespace

HEDDLE_INTERPOSE int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) {
  if (!controlled())
    return real::pthread_getattr_np(thread, attributes);
  Fiber* fiber = known(thread);
  if (!fiber)
    return ESRCH;
  Stack stack = stackOf(fiber);
  const void* place = fiber == self() ? __builtin_frame_address(0) : fiber->stackPointer;
  if (!contains(stack, place))
    return real::pthread_getattr_np(thread, attributes);
  pthread_attr_init(attributes);
  pthread_attr_setstack(attributes, reinterpret_cast<void*>(stack.low), stack.bytes);
  pthread_attr_setdetachstate(attributes,
                              fiber->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  return 0;
}

HEDDLE_INTERPOSE int pthread_setname_np(pthread_t thread, const char* name) {
  if (!controlled())
    return real::pthread_setname_np(thread, name);
  Fiber* fiber = known(thread);
  if (strlen(name) >= sizeof(Fiber::name))
    return ERANGE;
  if (!fiber)
    return ESRCH;
  strcpy(fiber->name, name);
  return 0;
}

/// A thread that nobody named has the name of the program.
HEDDLE_INTERPOSE int pthread_getname_np(pthread_t thread, char* name, size_t length) {
  if (!controlled())
    return real::pthread_getname_np(thread, name, length);
  Fiber* fiber = known(thread);
  if (length < sizeof(Fiber::name))
    return ERANGE;
  if (!fiber)
    return ESRCH;
  if (fiber->name[0] != 0)
    strcpy(name, fiber->name);
  else
    rawSyscall(SYS_prctl, PR_GET_NAME, asLong(name));
  return 0;
}

/// All threads run on one processor at a time: what the program wants is accepted and ignored.
HEDDLE_INTERPOSE int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t* set) {
  if (!controlled())
    return real::pthread_setaffinity_np(thread, bytes, set);
  if (!known(thread))
    return ESRCH;
  return CPU_COUNT_S(bytes, set) == 0 ? EINVAL : 0;
}

HEDDLE_INTERPOSE int pthread_getaffinity_np(pthread_t thread, size_t bytes, cpu_set_t* set) {
  if (!controlled())
    return real::pthread_getaffinity_np(thread, bytes, set);
  if (!known(thread))
    return ESRCH;
  return real::pthread_getaffinity_np(fiberAt(ThreadIndex::Main)->fsBase, bytes, set);
}

/// The strategy decides, whatever the priorities: any order they allow is among those it may take.
HEDDLE_INTERPOSE int pthread_setschedparam(pthread_t thread, int policy,
                                           const sched_param* parameters) {
  if (!controlled())
    return real::pthread_setschedparam(thread, policy, parameters);
  if (!known(thread))
    return ESRCH;
  int low = sched_get_priority_min(policy);
  int high = sched_get_priority_max(policy);
  int priority = parameters->sched_priority;
  return low >= 0 && priority >= low && priority <= high ? 0 : EINVAL;
}

HEDDLE_INTERPOSE int pthread_getschedparam(pthread_t thread, int* policy, sched_param* parameters) {
  if (!controlled())
    return real::pthread_getschedparam(thread, policy, parameters);
  if (!known(thread))
    return ESRCH;
  *policy = SCHED_OTHER;
  *parameters = {};
  return 0;
}

HEDDLE_INTERPOSE int pthread_setschedprio(pthread_t thread, int priority) {
  if (!controlled())
    return real::pthread_setschedprio(thread, priority);
  if (!known(thread))
    return ESRCH;
  return priority >= 0 && priority <= sched_get_priority_max(SCHED_FIFO) ? 0 : EINVAL;
}

HEDDLE_INTERPOSE int pthread_getcpuclockid(pthread_t thread, clockid_t* clock) {
  if (!controlled())
    return real::pthread_getcpuclockid(thread, clock);
  if (!known(thread))
    return ESRCH;
  *clock = CLOCK_PROCESS_CPUTIME_ID;
  return 0;
}

HEDDLE_INTERPOSE pid_t gettid() {
  if (!controlled())
    return real::gettid();
  return threadIdOf(self());
}

HEDDLE_INTERPOSE int sched_yield() {
  if (!controlled())
    return real::sched_yield();
  yieldNow(EventKind::Yield, nullptr);
  awaitOpenMPTasks(); // others may have begun one meanwhile
  return 0;
}

/// pthread.h makes pthread_yield another name of sched_yield; older programs have the symbol.
HEDDLE_INTERPOSE int heddlePthreadYield() asm("pthread_yield");
HEDDLE_INTERPOSE int heddlePthreadYield() { return sched_yield(); }
