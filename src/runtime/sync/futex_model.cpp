#include "runtime/sync/futex_model.h"

#include "runtime/base/arena.h"
#include "runtime/core/end_of_run.h"
#include "runtime/memory/shared_memory.h"
#include "runtime/signals/signal_model.h"
#include "runtime/time/timeout.h"

#include <errno.h>
#include <linux/futex.h>

namespace heddle::rt {

namespace {

struct Call {
  uint32_t* word;
  int command;
  bool realtime;
  uint32_t value;
  uintptr_t fourth; ///< a timeout, or a count
  uint32_t* second;
  uint32_t third;
};

/// The bits that each blocked thread does not wait for, by thread; made when a set of bits is first
/// used. Most wait for all of them: 0, as new memory is.
uint32_t* otherBits = nullptr;

void rememberBits(uint32_t bits) {
  if (!otherBits && bits == FUTEX_BITSET_MATCH_ANY)
    return;
  if (!otherBits)
    otherBits = static_cast<uint32_t*>(runAllocate(kMaxThreads * sizeof(uint32_t)));
  otherBits[raw(self()->index())] = ~bits;
}

/// FUTEX_WAIT has a time from now, FUTEX_WAIT_BITSET a time of a clock.
int readDeadline(const Call& call, uint64_t& deadline) {
  auto* time = reinterpret_cast<const timespec*>(call.fourth);
  deadline = kNoDeadline;
  if (!time)
    return 0;
  if (!validTime(*time) || time->tv_sec < 0)
    return EINVAL;
  if (call.command == FUTEX_WAIT_BITSET) {
    deadline = deadlineOf({call.realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC, time});
    return 0;
  }
  uint64_t span = nanosecondsOf(*time);
  deadline = span < kNoDeadline - 1 - now() ? now() + span : kNoDeadline - 1;
  return 0;
}

/// Until a wake-up: 0, ETIMEDOUT, or EINTR when a signal handler has run. Without a deadline
/// handlers with SA_RESTART do not count; then the value is compared again, as in the kernel.
int sleepOn(const uint32_t* word, uint64_t deadline) {
  uint32_t value = *word;
  HandlerCalls before = handlerCalls(self());
  for (;;) {
    WakeReason reason = blockOn(word, WaitKind::Futex, deadline);
    if (reason == WakeReason::Woken)
      return 0;
    if (reason == WakeReason::TimedOut)
      return ETIMEDOUT;
    HandlerCalls after = handlerCalls(self());
    if (after.interrupting != before.interrupting ||
        (deadline != kNoDeadline && after.all != before.all))
      return EINTR;
    if (*word != value)
      return EAGAIN;
  }
}

long wait(const Call& call, uint32_t bits) {
  uint64_t deadline;
  if (int error = readDeadline(call, deadline))
    return -error;
  if (bits == 0)
    return -EINVAL;
  self()->atomicExpected = call.value;
  point(EventKind::FutexWait, call.word);
  if (__atomic_load_n(call.word, __ATOMIC_SEQ_CST) != call.value) {
    note(EventKind::FutexWait, call.word, EAGAIN);
    noteFutileAttempt(call.word);
    return -EAGAIN;
  }
  if (deadline <= now()) {
    note(EventKind::FutexWait, call.word, ETIMEDOUT);
    noteFutileAttempt(call.word);
    return -ETIMEDOUT;
  }
  note(EventKind::FutexWait, call.word, EBUSY);
  rememberBits(bits);
  int error = sleepOn(call.word, deadline);
  note(EventKind::FutexWait, call.word, static_cast<uint8_t>(error));
  halfPoint(EventKind::FutexLeave, call.word);
  return -error;
}

uint32_t wakeSome(const uint32_t* word, uint32_t count) {
  uint32_t woken = 0;
  while (woken < count && wakeOne(word, WaitKind::Futex))
    ++woken;
  return woken;
}

bool waitsFor(const Fiber* fiber, const uint32_t* word, uint32_t bits) {
  return fiber->state == ThreadState::Blocked && fiber->waitKind == WaitKind::Futex &&
         fiber->waitObject == memoryIdentity(word) && (~otherBits[raw(fiber->index())] & bits) != 0;
}

/// With a set of bits the waiters are taken in order of thread, not by the strategy.
long wakeMatching(const uint32_t* word, uint32_t count, uint32_t bits) {
  if (bits == 0)
    return -EINVAL;
  if (bits == FUTEX_BITSET_MATCH_ANY || !otherBits)
    return wakeSome(word, count);
  uint32_t woken = 0;
  for (uint32_t i = 0; i < threadCount() && woken < count; ++i) {
    Fiber* fiber = fiberAt(static_cast<ThreadIndex>(i));
    if (!waitsFor(fiber, word, bits))
      continue;
    wakeFiber(fiber, WakeReason::Woken);
    ++woken;
  }
  return woken;
}

/// A point before waiters are woken, which tells an exploration how many; 0: some of them.
void wakePoint(const Call& call, uint32_t count) {
  self()->atomicExpected = count;
  point(EventKind::FutexWake, call.word);
}

long wake(const Call& call, uint32_t bits) {
  wakePoint(call, bits == FUTEX_BITSET_MATCH_ANY ? call.value : 0);
  return wakeMatching(call.word, call.value, bits);
}

/// FUTEX_REQUEUE returns how many it woke and moved; so does FUTEX_CMP_REQUEUE.
long requeueWaiters(const Call& call) {
  wakePoint(call, 0);
  if (call.command == FUTEX_CMP_REQUEUE &&
      __atomic_load_n(call.word, __ATOMIC_SEQ_CST) != call.third)
    return -EAGAIN;
  uint32_t woken = wakeSome(call.word, call.value);
  return woken +
         requeue(call.word, call.second, WaitKind::Futex, static_cast<uint32_t>(call.fourth));
}

uint32_t combine(uint32_t operation, uint32_t old, uint32_t argument) {
  switch (operation) {
  case FUTEX_OP_SET:
    return argument;
  case FUTEX_OP_ADD:
    return old + argument;
  case FUTEX_OP_OR:
    return old | argument;
  case FUTEX_OP_ANDN:
    return old & ~argument;
  default: // FUTEX_OP_XOR
    return old ^ argument;
  }
}

bool compare(uint32_t comparison, int32_t old, int32_t argument) {
  switch (comparison) {
  case FUTEX_OP_CMP_EQ:
    return old == argument;
  case FUTEX_OP_CMP_NE:
    return old != argument;
  case FUTEX_OP_CMP_LT:
    return old < argument;
  case FUTEX_OP_CMP_LE:
    return old <= argument;
  case FUTEX_OP_CMP_GT:
    return old > argument;
  default: // FUTEX_OP_CMP_GE
    return old >= argument;
  }
}

/// The kernel's encoding: four bits each of operation and comparison, twelve of each argument,
/// which are signed.
int32_t signedTwelve(uint32_t bits) { return static_cast<int32_t>(bits << 20) >> 20; }

long wakeOperation(const Call& call) {
  uint32_t code = call.third;
  uint32_t operation = code >> 28 & 7;
  uint32_t comparison = code >> 24 & 15;
  int32_t argument = signedTwelve(code >> 12);
  if (code >> 28 & FUTEX_OP_OPARG_SHIFT)
    argument = static_cast<int32_t>(1u << (argument & 31));
  if (operation > FUTEX_OP_XOR || comparison > FUTEX_OP_CMP_GE)
    return -ENOSYS;
  wakePoint(call, 0);
  uint32_t old = *call.second;
  *call.second = combine(operation, old, static_cast<uint32_t>(argument));
  uint32_t woken = wakeSome(call.word, call.value);
  if (compare(comparison, static_cast<int32_t>(old), signedTwelve(code)))
    woken += wakeSome(call.second, static_cast<uint32_t>(call.fourth));
  return woken;
}

} // namespace

long modelFutex(uint32_t* word, int operation, uint32_t value, uintptr_t timeoutOrCount,
                uint32_t* second, uint32_t third) {
  Call call{word,
            operation & FUTEX_CMD_MASK,
            (operation & FUTEX_CLOCK_REALTIME) != 0,
            value,
            timeoutOrCount,
            second,
            third};
  switch (call.command) {
  case FUTEX_WAIT:
    return wait(call, FUTEX_BITSET_MATCH_ANY);
  case FUTEX_WAIT_BITSET:
    return wait(call, third);
  case FUTEX_WAKE:
    return wake(call, FUTEX_BITSET_MATCH_ANY);
  case FUTEX_WAKE_BITSET:
    return wake(call, third);
  case FUTEX_REQUEUE:
  case FUTEX_CMP_REQUEUE:
    return requeueWaiters(call);
  case FUTEX_WAKE_OP:
    return wakeOperation(call);
  case FUTEX_LOCK_PI:
  case FUTEX_LOCK_PI2:
  case FUTEX_UNLOCK_PI:
  case FUTEX_TRYLOCK_PI:
  case FUTEX_WAIT_REQUEUE_PI:
  case FUTEX_CMP_REQUEUE_PI:
    loseControl("the program calls the kernel for a priority-inheriting futex, which heddle does "
                "not model; use a pthread mutex with PTHREAD_PRIO_INHERIT");
  default:
    return -ENOSYS;
  }
}

} // namespace heddle::rt
