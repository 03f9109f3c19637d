#include "runtime/sync/guard_model.h"

#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/sync/blocking.h"

#include <sys/syscall.h>

using namespace heddle;
using namespace heddle::rt;

namespace {

constexpr uint32_t kFree = 0;
constexpr uint32_t kReady = 1;
constexpr uint32_t kPending = 256;

uint32_t* wordOf(uint64_t* guard) { return reinterpret_cast<uint32_t*>(guard); }

bool ready(uint32_t* word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE) & kReady; }

bool claim(uint32_t* word) {
  uint32_t expected = kFree;
  return __atomic_compare_exchange_n(word, &expected, kPending, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE);
}

/// Real threads may be there (a child of fork()), and C programs have no real function to call.
int acquireUncontrolled(uint32_t* word) {
  while (!ready(word)) {
    if (claim(word))
      return 1;
    rawSyscall(SYS_sched_yield);
  }
  return 0;
}

void leaveGuard(uint64_t* guard, uint32_t state) {
  if (!controlled()) {
    __atomic_store_n(wordOf(guard), state, __ATOMIC_RELEASE);
    return;
  }
  point(EventKind::GuardRelease, guard);
  __atomic_store_n(wordOf(guard), state, __ATOMIC_RELEASE);
  released(guard);
  if (state == kFree)
    note(EventKind::GuardRelease, guard, 1);
  wakeAll(guard, WaitKind::Guard);
}

} // namespace

/// 1: the caller makes the object. A thread that comes back to a guard which it holds waits for
/// itself, as in libstdc++: a deadlock.
HEDDLE_INTERPOSE int __cxa_guard_acquire(uint64_t* guard) {
  uint32_t* word = wordOf(guard);
  if (!controlled())
    return acquireUncontrolled(word);
  point(EventKind::GuardAcquire, guard);
  attemptUntil(EventKind::GuardAcquire, guard, WaitKind::Guard, kForever,
               [=] { return *word == kPending ? EBUSY : 0; });
  if (!claim(word))
    return 0;
  acquiredOnce(guard);
  taken(guard, WaitKind::Guard);
  return 1;
}

HEDDLE_INTERPOSE void __cxa_guard_release(uint64_t* guard) { leaveGuard(guard, kReady); }

/// The constructor threw: the next caller makes the object.
HEDDLE_INTERPOSE void __cxa_guard_abort(uint64_t* guard) { leaveGuard(guard, kFree); }
