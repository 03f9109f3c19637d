#include "runtime/io/io_wait.h"

#include "runtime/base/arena.h"
#include "runtime/base/persistent.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/real_time.h"
#include "runtime/core/cancellation.h"
#include "runtime/signals/signal_model.h"
#include "runtime/time/virtual_time.h"
#include "runtime/time/virtual_timer.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

namespace heddle::rt {

void startIoModel();

namespace {

constexpr uint64_t kSlice = 20'000'000;       ///< real waits are cut, to look for signals
constexpr uint64_t kAttemptSlice = 1'000'000; ///< the same when somebody only tries
/// How long outsiders are waited for that may never come, before virtual time goes on.
constexpr uint64_t kListenNanos = 1'000'000;
/// The kernel may deliver a packet between two sockets of this process a little later.
constexpr uint64_t kLoopbackNanos = 2'000'000;
constexpr uint32_t kMaxPolled = 4096;

HEDDLE_LARGE IoWait* waits[kMaxThreads]; ///< by thread; counts while the fiber stands in the queue
HEDDLE_LARGE pollfd polled[kMaxPolled];
HEDDLE_LARGE Fiber* owners[kMaxPolled];

Fiber* firstWaiting() { return firstWaiter(ioWaitObject(), WaitKind::Io); }

/// What is waited for at the moment.
struct Waiters {
  uint32_t descriptors = 0;
  bool attempts = false;
  bool sockets = false;
  bool woke = false; ///< somebody whose descriptors did not fit, and one was ready
  Reach reach = Reach::Inside;
};

long pollNow(pollfd* descriptors, uint32_t count) {
  timespec zero{0, 0};
  return rawSyscall(SYS_ppoll, asLong(descriptors), count, asLong(&zero), 0, 8);
}

/// More descriptors than are polled together: asked for now, and often.
void askAlone(Waiters& all, Fiber* fiber, IoWait& wait) {
  all.attempts = true;
  if (pollNow(wait.descriptors, wait.count) <= 0)
    return;
  wakeFiber(fiber, WakeReason::Woken);
  all.woke = true;
}

Waiters collect(Reach most) {
  Waiters all;
  for (Fiber *next, *fiber = firstWaiting(); fiber; fiber = next) {
    next = fiber->queueNext;
    IoWait* wait = waits[raw(fiber->index())];
    if (!wait || wait->reach > most)
      continue;
    if (wait->reach > all.reach)
      all.reach = wait->reach;
    all.attempts |= wait->attempt != nullptr;
    if (wait->count > kMaxPolled - all.descriptors) {
      askAlone(all, fiber, *wait);
      continue;
    }
    for (uint32_t i = 0; i < wait->count; ++i) {
      all.sockets |= descriptorKind(wait->descriptors[i].fd) == DescriptorKind::Socket;
      owners[all.descriptors] = fiber;
      polled[all.descriptors++] = wait->descriptors[i];
    }
  }
  return all;
}

bool tryAttempts(Reach most) {
  bool woke = false;
  for (Fiber* fiber = firstWaiting(); fiber;) {
    Fiber* next = fiber->queueNext;
    IoWait* wait = waits[raw(fiber->index())];
    if (wait && wait->attempt && wait->reach <= most && wait->attempt(wait->context)) {
      wakeFiber(fiber, WakeReason::Woken);
      woke = true;
    }
    fiber = next;
  }
  return woke;
}

/// Polls what collect() found, waiting up to `nanos` for real. Wakes who got something.
bool pollReal(const Waiters& all, uint64_t nanos, Reach most) {
  timespec time{static_cast<time_t>(nanos / 1'000'000'000),
                static_cast<long>(nanos % 1'000'000'000)};
  bool woke = all.woke;
  long ready = 0;
  if ((all.descriptors != 0 || nanos != 0) && !woke)
    ready = rawSyscall(SYS_ppoll, asLong(polled), all.descriptors, asLong(&time), 0, 8);
  for (uint32_t i = 0; ready > 0 && i < all.descriptors; ++i) {
    if (polled[i].revents == 0 || owners[i]->state != ThreadState::Blocked)
      continue;
    wakeFiber(owners[i], WakeReason::Woken);
    woke = true;
  }
  if (all.attempts)
    woke |= tryAttempts(most);
  return woke;
}

/// Lets virtual time jump to timers that end within `horizon`, until one of them wakes somebody.
bool passTimers(uint64_t horizon) {
  constexpr int kMaxTimers = 10000; // a periodic one that nobody waits for never wakes anybody
  for (int i = 0; i < kMaxTimers; ++i) {
    uint64_t next = nextTimer();
    if (next == kNoDeadline || next > horizon)
      return false;
    advanceTo(next);
    uint32_t before = runnableCount();
    fireTimers();
    // While threads spin, one timer at a time: its handler may be what they spin for.
    if (pollReal(collect(Reach::Outside), 0, Reach::Outside) || before != 0 ||
        runnableCount() != before)
      return true;
  }
  return false;
}

/// Waits for real, for at most `nanos`; virtual time follows.
bool waitReal(uint64_t nanos, uint64_t slice) {
  uint32_t runnable = runnableCount();
  uint64_t begin = realNanos();
  uint64_t virtualBegin = now();
  for (uint64_t passed = 0;; passed = realNanos() - begin) {
    if (passed >= nanos)
      return false;
    Waiters all = collect(Reach::Outside);
    uint64_t left = nanos - passed;
    bool woke = pollReal(all, left < slice ? left : slice, Reach::Outside);
    advanceTo(virtualBegin + (realNanos() - begin));
    takeArrivedSignals();
    if (woke || runnableCount() != runnable)
      return true;
  }
}

/// The scheduler calls this when nobody can run, and now and then when threads only spin: see
/// setIoPoll.
bool pollIo(uint64_t maxNanos) {
  uint32_t runnable = runnableCount();
  fireTimers();
  takeArrivedSignals();
  Waiters all = collect(Reach::Outside);
  if (pollReal(all, 0, Reach::Outside) || runnableCount() != runnable)
    return true;
  if (hasChildren() && maxNanos != kNoDeadline)
    all.reach = Reach::Outside; // a sleep is meant to give them time
  if (maxNanos == 0)
    return false;
  uint64_t horizon = maxNanos == kNoDeadline ? kNoDeadline - 1 : now() + maxNanos;
  uint64_t until = nextTimer() < horizon ? nextTimer() : horizon;
  bool endless = maxNanos == kNoDeadline && nextTimer() == kNoDeadline;
  if (all.reach == Reach::Outside || (all.reach == Reach::Listening && endless)) {
    persistent().result.flags |= kResultEnvironment;
    if (waitReal(until - now(), all.attempts ? kAttemptSlice : kSlice))
      return true;
  } else if (all.reach == Reach::Listening) {
    if (pollReal(all, kListenNanos, Reach::Outside)) {
      persistent().result.flags |= kResultEnvironment;
      return true;
    }
  } else if (all.sockets && pollReal(all, kLoopbackNanos, Reach::Outside)) {
    return true;
  }
  return passTimers(runnable == 0 ? horizon : kNoDeadline - 1);
}

Reach reachOfAll(const IoWait& wait) {
  Reach most = wait.reach;
  for (uint32_t i = 0; i < wait.count; ++i) {
    if (wait.descriptors[i].fd < 0)
      continue;
    Reach reach = reachOf(wait.descriptors[i].fd);
    if (reach > most)
      most = reach;
  }
  return most;
}

} // namespace

void startIoModel() { setIoPoll(pollIo); }

IoOutcome waitForIo(IoWait& wait, uint64_t deadline) {
  cancellationPoint();
  Fiber* fiber = self();
  HandlerCalls before = handlerCalls(fiber);
  wait.reach = reachOfAll(wait);
  waits[raw(fiber->index())] = &wait;
  WakeReason reason = blockOn(ioWaitObject(), WaitKind::Io, deadline);
  waits[raw(fiber->index())] = nullptr;
  if (reason == WakeReason::Cancelled)
    cancellationPoint();
  HandlerCalls after = handlerCalls(fiber);
  if (after.interrupting != before.interrupting || (!wait.restarts && after.all != before.all))
    return IoOutcome::Interrupted;
  return reason == WakeReason::TimedOut ? IoOutcome::TimedOut : IoOutcome::Ready;
}

IoOutcome waitForDescriptor(int fd, short events, uint64_t deadline) {
  pollfd descriptor{fd, events, 0};
  IoWait wait;
  wait.descriptors = &descriptor;
  wait.count = 1;
  return waitForIo(wait, deadline);
}

int awaitedDescriptor(const Fiber* fiber) {
  IoWait* wait = fiber->waitKind == WaitKind::Io ? waits[raw(fiber->index())] : nullptr;
  return wait && wait->count != 0 ? wait->descriptors[0].fd : -1;
}

void refreshIoWaits() {
  if (nextTimer() <= now())
    fireTimers();
  if (!firstWaiting())
    return;
  Waiters all = collect(Reach::Listening);
  if (all.descriptors != 0 || all.attempts)
    pollReal(all, 0, Reach::Listening);
}

} // namespace heddle::rt
