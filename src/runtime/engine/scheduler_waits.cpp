#include "runtime/core/end_of_run.h"
#include "runtime/engine/scheduler_parts.h"
#include "runtime/engine/wait_queue.h"
#include "runtime/time/virtual_time.h"
#include "runtime/trace/run_record.h"

/// Waiting and waking: who leaves a queue, when time passes, when nobody is left who can run.
namespace heddle::rt {

namespace {

/// --until-idle: after this many steps in which no thread was anywhere new, timers count as idle.
constexpr uint64_t kIdleSteps = 200;

bool isLock(WaitKind kind) {
  switch (kind) {
  case WaitKind::Mutex:
  case WaitKind::RwLockRead:
  case WaitKind::RwLockWrite:
  case WaitKind::SpinLock:
  case WaitKind::Barrier: // all of them are there, or somebody never comes
  case WaitKind::Once:
  case WaitKind::Guard:
  case WaitKind::Library:
    return true;
  default:
    return false;
  }
}

/// A server without work waits for input, for a notification or for the end of a thread, but never
/// for a lock. (A lost notification looks the same: the price of --until-idle.)
bool isIdle() {
  for (uint32_t i = 0; i < scheduler.threads; ++i) {
    const Fiber* fiber = scheduler.fibers[i];
    if (fiber->state == ThreadState::Blocked && isLock(fiber->waitKind))
      return false;
  }
  return true;
}

} // namespace

Fiber* firstWaiter(const void* object, WaitKind kind) {
  // Without a search when nobody waits for anything of the kind.
  if (scheduler.waiting[static_cast<uint32_t>(kind)] == 0)
    return nullptr;
  WaitQueue* queue = findQueue(object, kind);
  return queue ? queue->first : nullptr;
}

bool waitsForIo() { return findQueue(ioWaitObject(), WaitKind::Io) != nullptr; }

void wakeWith(Fiber* fiber, WakeReason reason) {
  if (fiber->state != ThreadState::Blocked)
    return;
  dequeue(fiber);
  if (fiber->deadline != kNoDeadline)
    --scheduler.timedWaiters;
  fiber->deadline = kNoDeadline;
  fiber->wakeReason = reason;
  fiber->retryable = false;
  fiber->state = ThreadState::Runnable;
  scheduler.lastChange = scheduler.steps;
  enable(fiber);
}

Fiber* earliestTimed() {
  Fiber* best = nullptr;
  if (scheduler.timedWaiters == 0)
    return nullptr;
  for (uint32_t i = 0; i < scheduler.threads; ++i) {
    Fiber* fiber = scheduler.fibers[i];
    bool waits = fiber->state == ThreadState::Blocked && !fiber->retryable;
    if (waits && fiber->deadline != kNoDeadline && (!best || fiber->deadline < best->deadline))
      best = fiber;
  }
  return best;
}

void expire(Fiber* fiber) {
  advanceTo(fiber->deadline);
  wakeWith(fiber, WakeReason::TimedOut);
}

void awaitSomebody() {
  while (scheduler.enabledCount == 0) {
    Fiber* timed = earliestTimed();
    uint64_t patience =
        timed ? timed->deadline - (timed->deadline < now() ? timed->deadline : now()) : kNoDeadline;
    if (scheduler.untilIdle && isIdle()) {
      // What the program itself has sent may have arrived: only then is nothing left to do.
      if (scheduler.ioPoll && waitsForIo() && scheduler.ioPoll(0))
        continue;
      // A clock that ticks for ever does not keep a server busy.
      if (!timed || scheduler.steps - scheduler.lastNovelty > kIdleSteps)
        endRun(Outcome::Idle, 0);
    } else if (scheduler.ioPoll && scheduler.ioPoll(patience)) {
      continue;
    }
    if (!timed)
      failRun(FailureKind::Deadlock, "no thread can run");
    expire(timed);
  }
}

void wakeAll(const void* object, WaitKind kind) {
  for (Fiber* fiber = firstWaiter(object, kind); fiber; fiber = fiber->queueNext) {
    fiber->retryable = true;
    fiber->wakeReason = WakeReason::Woken;
    enable(fiber);
  }
}

void taken(const void* object, WaitKind kind) {
  for (Fiber* fiber = firstWaiter(object, kind); fiber; fiber = fiber->queueNext)
    if (fiber->retryable) {
      fiber->retryable = false;
      disable(fiber);
    }
}

Fiber* wakeOne(const void* object, WaitKind kind) {
  WaitQueue* queue = findQueue(object, kind);
  if (!queue)
    return nullptr;
  Fiber* waiter = queue->first;
  if (queue->count > 1) {
    constexpr uint32_t most = 256;
    ThreadView* waiters[most];
    uint32_t count = 0;
    for (Fiber* f = queue->first; f && count < most; f = f->queueNext)
      waiters[count++] = &f->view;
    Fiber* fiber = scheduler.current;
    SiteId site = fiber->view.pending.site;
    uint32_t occurrence = countStep(fiber, site);
    EnabledSet set = enabledSet();
    Choice choice = makeChoice(set, fiber, true, false, site, occurrence);
    uint32_t chosen = scheduler.strategy->chooseWaiter(choice, waiters, count);
    waiter = scheduler.fibers[raw(waiters[chosen < count ? chosen : 0]->index)];
    if (chosen != 0)
      logDecision(choice, DecisionKind::Wake, waiter->view.path);
  }
  recordWake(scheduler.current, waiter);
  wakeWith(waiter, WakeReason::Woken);
  return waiter;
}

uint32_t wakeEach(const void* object, WaitKind kind) {
  uint32_t count = 0;
  while (WaitQueue* queue = findQueue(object, kind)) {
    recordWake(scheduler.current, queue->first);
    wakeWith(queue->first, WakeReason::Woken);
    ++count;
  }
  return count;
}

void wakeFiber(Fiber* fiber, WakeReason reason) {
  recordWake(scheduler.current, fiber);
  wakeWith(fiber, reason);
}

uint32_t waiterCount(const void* object, WaitKind kind) {
  WaitQueue* queue = findQueue(object, kind);
  return queue ? queue->count : 0;
}

uint32_t requeue(const void* from, const void* to, WaitKind kind, uint32_t count) {
  uint32_t moved = 0;
  while (moved < count) {
    WaitQueue* queue = findQueue(from, kind);
    if (!queue)
      break;
    Fiber* fiber = queue->first;
    dequeue(fiber);
    fiber->waitObject = to;
    enqueue(fiber, to, kind);
    ++moved;
  }
  return moved;
}

} // namespace heddle::rt
