#include "scheduler.h"

#include "arena.h"
#include "cancel_model.h"
#include "context.h"
#include "donor.h"
#include "failure.h"
#include "learn.h"
#include "occurrence.h"
#include "persistent.h"
#include "run_record.h"
#include "scheduler_entry.h"
#include "scheduler_state.h"
#include "sites.h"
#include "thread_model.h"
#include "trace_ring.h"
#include "virtual_time.h"
#include "virtual_timer.h"
#include "wait_queue.h"

#include <new>

namespace heddle::rt {

SchedulerState scheduler;

namespace {

/// After this many reads of the same unchanged place a thread counts as spinning.
constexpr uint32_t kSpinLimit = 16;
/// After this many rounds of yields in which nobody did anything else, time goes on.
constexpr uint32_t kIdleRounds = 4;
/// A thread that ran this many steps alone, nowhere new, gives way: it may be polling under a lock.
constexpr uint64_t kSoloSteps = 1000;
/// After this many steps in which no thread was anywhere new, the next timer expires: somebody may
/// be polling for what a sleeper will do.
constexpr uint64_t kPatientSteps = 10000;

EnabledSet enabledSet() {
  return {scheduler.enabled, scheduler.words, scheduler.enabledCount,
          reinterpret_cast<ThreadView* const*>(scheduler.fibers)};
}

void enable(Fiber* fiber) {
  uint32_t i = raw(fiber->index());
  uint64_t bit = 1ull << (i % 64);
  if (scheduler.enabled[i / 64] & bit)
    return;
  scheduler.enabled[i / 64] |= bit;
  ++scheduler.enabledCount;
}

void disable(Fiber* fiber) {
  uint32_t i = raw(fiber->index());
  uint64_t bit = 1ull << (i % 64);
  if (!(scheduler.enabled[i / 64] & bit))
    return;
  scheduler.enabled[i / 64] &= ~bit;
  --scheduler.enabledCount;
}

void switchTo(Fiber* next) {
  Fiber* previous = scheduler.current;
  scheduler.current = next;
  scheduler.lastSwitch = scheduler.steps;
  previous->shadowTop = __heddle_frame;
  __heddle_frame = next->shadowTop;
  heddleTraceCursor.thread = threadWord(raw(next->index()));
  writeFsBase(next->fsBase);
  heddleSwitch(&previous->stackPointer, next->stackPointer);
}

/// The site under which the running fiber's next decision is filed.
SiteId currentSite(const Fiber* fiber, EventKind kind) {
  return fiber->callSite == SiteId::None ? pseudoSite(kind) : fiber->callSite;
}

/// Ends the run when it has used its steps: a hang if nothing new happened for half of them.
[[noreturn]] void outOfSteps() {
  if (scheduler.steps - scheduler.lastNovelty > scheduler.maxSteps / 2)
    failRun(FailureKind::Hang,
            formatMessage("no thread made progress: %lu steps without anything new",
                          scheduler.steps - scheduler.lastNovelty));
  endRun(Outcome::Cut, 0);
}

uint32_t countStep(Fiber* fiber, SiteId site) {
  Occurrence occurrence = countOccurrence(fiber->index(), site);
  ++scheduler.steps;
  if (occurrence.first)
    scheduler.lastNovelty = scheduler.steps;
  publishProgress(scheduler.steps);
  if (scheduler.steps > scheduler.maxSteps)
    outOfSteps();
  return occurrence.count;
}

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
  enable(fiber);
}

/// The timed waiter whose deadline comes first, or null.
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

bool waitsForIo() { return findQueue(ioWaitObject(), WaitKind::Io) != nullptr; }

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

/// Nobody can run. Lets time pass, waits for input, or reports the deadlock.
void awaitSomebody() {
  while (scheduler.enabledCount == 0) {
    Fiber* timed = earliestTimed();
    uint64_t patience =
        timed ? timed->deadline - (timed->deadline < now() ? timed->deadline : now()) : kNoDeadline;
    if (scheduler.untilIdle && !timed && isIdle())
      endRun(Outcome::Idle, 0);
    if (scheduler.ioPoll && scheduler.ioPoll(patience))
      continue;
    if (!timed)
      failRun(FailureKind::Deadlock, "no thread can run");
    expire(timed);
  }
}

Choice makeChoice(const EnabledSet& set, Fiber* fiber, bool currentEnabled, bool yielded,
                  SiteId site, uint32_t occurrence) {
  ThreadIndex fallback = currentEnabled ? fiber->index() : set.after(fiber->index());
  return {set, fiber->index(), currentEnabled, yielded, fallback, identityOf(site), occurrence};
}

/// The running fiber's decision, as far as early wakes are concerned.
Choice bareChoice(const EnabledSet& set, Fiber* fiber, SiteId site, uint32_t occurrence) {
  return {set, fiber->index(), false, false, fiber->index(), identityOf(site), occurrence};
}

/// A timer expires although somebody could run: a deviation, which replay repeats by itself.
void expireEarly(Fiber* timed, const Choice& choice) {
  logDecision(choice, DecisionKind::Timeout, timed->view.path);
  expire(timed);
}

/// --time=any, --spurious and replay: the strategy may wake a waiter early.
void considerEarlyWakes(Fiber* current, SiteId site, uint32_t occurrence) {
  if (!scheduler.timeAny && !scheduler.spurious && !scheduler.replaying)
    return;
  EnabledSet set = enabledSet();
  Choice choice = bareChoice(set, current, site, occurrence);
  static ThreadView noThread; // whom a timer of the program wakes is not decided here
  while (scheduler.replaying && nextTimer() != kNoDeadline &&
         scheduler.strategy->chooseEarly(choice, DecisionKind::Timeout, noThread))
    fireNextTimer();
  while (Fiber* timed = scheduler.timeAny || scheduler.replaying ? earliestTimed() : nullptr) {
    if (!scheduler.strategy->chooseEarly(choice, DecisionKind::Timeout, timed->view))
      break;
    expireEarly(timed, choice);
    if (!scheduler.replaying)
      break;
  }
  for (uint32_t i = 0; i < scheduler.threads && scheduler.spurious; ++i) {
    Fiber* fiber = scheduler.fibers[i];
    if (fiber->state == ThreadState::Blocked && fiber->waitKind == WaitKind::Condition &&
        scheduler.strategy->chooseEarly(choice, DecisionKind::Spurious, fiber->view)) {
      logDecision(choice, DecisionKind::Spurious, fiber->view.path);
      wakeWith(fiber, WakeReason::Spurious);
      return;
    }
  }
}

/// Threads run but get nowhere: lets the next timer expire, or input come in.
void letTimePass(Fiber* current, SiteId site, uint32_t occurrence) {
  if (scheduler.replaying)
    return;
  Fiber* timed = earliestTimed();
  if (nextTimer() < (timed ? timed->deadline : kNoDeadline)) {
    EnabledSet set = enabledSet();
    logDecision(bareChoice(set, current, site, occurrence), DecisionKind::Timeout,
                ThreadPath::None);
    fireNextTimer();
    return;
  }
  constexpr uint64_t aMillisecond = 1'000'000;
  if (scheduler.ioPoll && waitsForIo() && scheduler.ioPoll(timed ? 0 : aMillisecond))
    return;
  if (timed) {
    EnabledSet set = enabledSet();
    expireEarly(timed, bareChoice(set, current, site, occurrence));
  }
}

/// All threads that could run only give way to each other: what they wait for must be time or
/// input. Without this a loop of sched_yield would starve every sleeper.
void passIdleRound(Fiber* current, SiteId site, uint32_t occurrence) {
  if (++scheduler.idleYields <= kIdleRounds * (scheduler.enabledCount + 1))
    return;
  scheduler.idleYields = 0;
  letTimePass(current, site, occurrence);
}

/// Why the running fiber does not simply go on.
enum class Reason { Point, Blocked, Yield, ForcedYield };

ThreadIndex ask(Fiber* fiber, Reason reason, SiteId site, uint32_t occurrence) {
  EnabledSet set = enabledSet();
  bool yields = reason == Reason::Yield || reason == Reason::ForcedYield;
  Choice choice = makeChoice(set, fiber, reason == Reason::Point, yields, site, occurrence);
  bool isChoice = set.count() > 1;
  ThreadIndex chosen = isChoice || yields ? scheduler.strategy->choose(choice) : choice.fallback;
  if (!isChoice)
    chosen = choice.fallback;
  if (!set.contains(chosen))
    loseControl("internal error: the strategy chose a thread that can not run");
  // Replay forces nobody to yield, so a forced yield is always a deviation.
  if (chosen != choice.fallback || reason == Reason::ForcedYield)
    logDecision(choice, DecisionKind::Switch, scheduler.fibers[raw(chosen)]->view.path);
  return chosen;
}

/// The running fiber can go on (Point) or is no longer enabled (Blocked): decides and switches.
void reschedule(Fiber* fiber, Reason reason, SiteId site, uint32_t occurrence) {
  bool currentEnabled = reason == Reason::Point;
  considerEarlyWakes(fiber, site, occurrence);
  if (currentEnabled && scheduler.enabledCount == 1)
    return;
  if (scheduler.enabledCount == 0)
    awaitSomebody();
  ThreadIndex chosen = ask(fiber, reason, site, occurrence);
  if (chosen != fiber->index())
    switchTo(scheduler.fibers[raw(chosen)]);
}

void deliverSignals(Fiber* fiber) {
  if ((fiber->pendingSignals & ~fiber->signalMask) && scheduler.deliverSignals)
    scheduler.deliverSignals(fiber);
  if (fiber->cancelRequested && fiber->cancelAsynchronous)
    asynchronousCancellationPoint();
}

/// Operations that threads repeat while they wait for somebody else.
bool mayBeFutile(EventKind kind) {
  switch (kind) {
  case EventKind::Read:
  case EventKind::AtomicRead:
  case EventKind::AtomicUpdate:
  case EventKind::Fence:
  case EventKind::Spin:
  case EventKind::MutexTryLock:
  case EventKind::Yield:
  case EventKind::ClockRead:
    return true;
  default:
    return false;
  }
}

/// The running fiber executes its pending operation now.
void execute(Fiber* fiber) {
  if (!mayBeFutile(fiber->view.pending.kind))
    scheduler.idleYields = 0;
  if (scheduler.strategyWatches)
    scheduler.strategy->executed(fiber->view, enabledSet());
  recordOperation(fiber);
  deliverSignals(fiber);
}

void giveWay(Fiber* fiber, Reason reason, SiteId site, uint32_t occurrence) {
  considerEarlyWakes(fiber, site, occurrence);
  passIdleRound(fiber, site, occurrence);
  if (scheduler.enabledCount == 1)
    return;
  disable(fiber);
  ThreadIndex chosen = ask(fiber, reason, site, occurrence);
  enable(fiber); // before it is switched away, so that the next decision of others sees it
  if (chosen != fiber->index())
    switchTo(scheduler.fibers[raw(chosen)]);
}

bool runsAlone() {
  uint64_t since =
      scheduler.lastSwitch > scheduler.lastNovelty ? scheduler.lastSwitch : scheduler.lastNovelty;
  return scheduler.steps - since > kSoloSteps && scheduler.enabledCount > 1 && !scheduler.replaying;
}

/// The decision at a point that the running fiber could simply pass.
void decideAt(Fiber* fiber, SiteId site, uint32_t occurrence, bool spinning) {
  if (scheduler.steps - scheduler.lastNovelty > kPatientSteps &&
      scheduler.steps % kPatientSteps == 0)
    letTimePass(fiber, site, occurrence);
  if (!spinning && !runsAlone()) {
    reschedule(fiber, Reason::Point, site, occurrence);
    return;
  }
  persistent().result.flags |= kResultForcedYield;
  scheduler.lastSwitch = scheduler.steps;
  giveWay(fiber, Reason::ForcedYield, site, occurrence);
}

/// A thread that reads the same place again and again waits for it to change. Replay does not
/// look: what was forced in the recorded run is in the schedule.
bool spins(Fiber* fiber, EventKind kind, uint64_t address, SiteId site) {
  if (isWrite(kind) && kind != EventKind::AtomicUpdate) {
    fiber->spinCount = 0;
    return false;
  }
  if (fiber->spinSite == site && fiber->spinAddress == address)
    return ++fiber->spinCount > kSpinLimit && !scheduler.replaying;
  if (fiber->spinSite == site || fiber->spinCount == 0) {
    fiber->spinSite = site;
    fiber->spinAddress = address;
    fiber->spinCount = 1;
  }
  return false;
}

Fiber* newFiber(uintptr_t shadow) {
  auto* fiber = new (runAllocate(sizeof(Fiber))) Fiber;
  uint32_t index = scheduler.threads++;
  scheduler.fibers[index] = fiber;
  scheduler.words = scheduler.threads / 64 + 1;
  fiber->view.index = static_cast<ThreadIndex>(index);
  fiber->shadowBase = reinterpret_cast<const uint32_t**>(shadow);
  fiber->shadowTop = fiber->shadowBase;
  return fiber;
}

/// A detached thread can not give its donor back while it still stands on its stack.
void reapZombies() {
  while (Fiber* fiber = scheduler.zombies) {
    scheduler.zombies = fiber->queueNext;
    fiber->queueNext = nullptr;
    recycle(fiber);
  }
}

} // namespace

Fiber* self() { return scheduler.current; }

Fiber* fiberAt(ThreadIndex index) {
  return raw(index) < scheduler.threads ? scheduler.fibers[raw(index)] : nullptr;
}

uint32_t threadCount() { return scheduler.threads; }

bool controlled() { return scheduler.controlled; }

void point(EventKind kind, const void* object) {
  Fiber* fiber = scheduler.current;
  if (passesQuietly(fiber)) {
    fiber->view.pending = {kind, fiber->callSite, reinterpret_cast<uintptr_t>(object)};
    scheduler.idleYields = mayBeFutile(kind) ? scheduler.idleYields : 0;
    return;
  }
  SiteId site = currentSite(fiber, kind);
  fiber->view.pending = {kind, site, reinterpret_cast<uintptr_t>(object)};
  fiber->spinCount = 0;
  uint32_t occurrence = countStep(fiber, site);
  decideAt(fiber, site, occurrence, false);
  execute(fiber);
}

void accessPoint(EventKind kind, const void* address, SiteId site) {
  Fiber* fiber = scheduler.current;
  auto location = reinterpret_cast<uintptr_t>(address);
  fiber->view.pending = {kind, site, location};
  uint32_t occurrence = countStep(fiber, site);
  bool spinning = spins(fiber, kind, location, site);
  if (spinning)
    fiber->spinCount = 0;
  decideAt(fiber, site, occurrence, spinning);
  execute(fiber);
}

void yieldNow(EventKind kind, const void* object) {
  Fiber* fiber = scheduler.current;
  SiteId site = currentSite(fiber, kind);
  fiber->view.pending = {kind, site, reinterpret_cast<uintptr_t>(object)};
  uint32_t occurrence = countStep(fiber, site);
  giveWay(fiber, Reason::Yield, site, occurrence);
  execute(fiber);
}

void noteFutileAttempt(const void* object) {
  Fiber* fiber = scheduler.current;
  constexpr uint32_t patience = 3;
  if (fiber->spinAddress != reinterpret_cast<uintptr_t>(object))
    fiber->futileCount = 0;
  fiber->spinAddress = reinterpret_cast<uintptr_t>(object);
  if (++fiber->futileCount < patience)
    return;
  fiber->futileCount = 0;
  yieldNow(EventKind::Yield, object);
}

void noteProgress() { scheduler.current->futileCount = 0; }

WakeReason blockOn(const void* object, WaitKind kind, uint64_t deadline) {
  Fiber* fiber = scheduler.current;
  SiteId site = fiber->view.pending.site;
  uint32_t occurrence = countStep(fiber, site);
  fiber->waitKind = kind;
  fiber->waitObject = object;
  fiber->deadline = deadline;
  fiber->state = ThreadState::Blocked;
  fiber->retryable = false;
  if (deadline != kNoDeadline)
    ++scheduler.timedWaiters;
  enqueue(fiber, object, kind);
  disable(fiber);
  reschedule(fiber, Reason::Blocked, site, occurrence);
  if (fiber->state == ThreadState::Blocked) { // woken to try again: still in the queue
    dequeue(fiber);
    if (fiber->deadline != kNoDeadline)
      --scheduler.timedWaiters;
    fiber->deadline = kNoDeadline;
    fiber->state = ThreadState::Runnable;
    fiber->wakeReason = WakeReason::Woken;
  }
  fiber->waitKind = WaitKind::None;
  fiber->waitObject = nullptr;
  fiber->retryable = false;
  WakeReason reason = fiber->wakeReason; // a signal handler may block and be woken itself
  deliverSignals(fiber);
  return reason;
}

void wakeAll(const void* object, WaitKind kind) {
  if (scheduler.waiting[static_cast<uint32_t>(kind)] == 0)
    return;
  WaitQueue* queue = findQueue(object, kind);
  if (!queue)
    return;
  for (Fiber* fiber = queue->first; fiber; fiber = fiber->queueNext) {
    fiber->retryable = true;
    fiber->wakeReason = WakeReason::Woken;
    enable(fiber);
  }
}

void taken(const void* object, WaitKind kind) {
  if (scheduler.waiting[static_cast<uint32_t>(kind)] == 0)
    return;
  WaitQueue* queue = findQueue(object, kind);
  if (!queue)
    return;
  for (Fiber* fiber = queue->first; fiber; fiber = fiber->queueNext)
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
  wakeWith(waiter, WakeReason::Woken);
  return waiter;
}

uint32_t wakeEach(const void* object, WaitKind kind) {
  uint32_t count = 0;
  while (WaitQueue* queue = findQueue(object, kind)) {
    wakeWith(queue->first, WakeReason::Woken);
    ++count;
  }
  return count;
}

void wakeFiber(Fiber* fiber, WakeReason reason) { wakeWith(fiber, reason); }

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

void note(EventKind kind, const void* object, uint8_t result) {
  if (scheduler.quiet)
    return;
  recordNote(scheduler.current, kind, object, result);
}

void setIoPoll(IoPoll poll) { scheduler.ioPoll = poll; }

void setSignalDelivery(void (*deliver)(Fiber*)) { scheduler.deliverSignals = deliver; }

Fiber* createFiber(ThreadFunction start, void* argument, size_t stackBytes, int& error) {
  if (scheduler.threads >= kMaxThreads) {
    error = 11; // EAGAIN
    return nullptr;
  }
  reapZombies();
  Donor* donor = takeDonor(stackBytes, error);
  if (!donor)
    return nullptr;
  Fiber* parent = scheduler.current;
  Fiber* fiber = newFiber(donor->stackLow + donor->stackBytes);
  fiber->donor = donor;
  donor->fiber = fiber;
  fiber->stackPointer = donor->parked;
  fiber->fsBase = donor->fsBase;
  fiber->start = start;
  fiber->argument = argument;
  fiber->parent = parent;
  fiber->ordinal = ++parent->children;
  fiber->view.path = childPath(parent->view.path, fiber->ordinal);
  fiber->view.pending = {EventKind::ThreadStart, parent->callSite, 0};
  fiber->createSite = parent->callSite;
  fiber->createFrameCount = copyFrames(parent, fiber->createFrames);
  fiber->signalMask = parent->signalMask;
  fiber->createdAt = eventClock();
  if (++scheduler.alive > scheduler.peak)
    scheduler.peak = scheduler.alive;
  scheduler.lastNovelty = scheduler.steps;
  scheduler.strategy->threadCreated(fiber->view);
  enable(fiber);
  return fiber;
}

void fiberMain(Fiber* fiber) {
  recordNote(fiber, EventKind::ThreadStart, fiber, 0);
  fiber->result = runThread(fiber);
  finishFiber();
}

void finishFiber() {
  Fiber* fiber = scheduler.current;
  SiteId site = pseudoSite(EventKind::ThreadExit);
  fiber->view.pending = {EventKind::ThreadExit, site, 0};
  uint32_t occurrence = countStep(fiber, site);
  scheduler.lastNovelty = scheduler.steps;
  fiber->state = ThreadState::Finished;
  fiber->finished = true;
  --scheduler.alive;
  disable(fiber);
  wakeEach(fiber, WaitKind::Join);
  if (fiber->detached) {
    fiber->queueNext = scheduler.zombies;
    scheduler.zombies = fiber;
  }
  scheduler.strategy->threadFinished(fiber->view);
  reschedule(fiber, Reason::Blocked, site, occurrence);
  loseControl("internal error: a finished thread was chosen");
}

void recycle(Fiber* fiber) {
  Donor* donor = fiber->donor;
  if (!donor || fiber == scheduler.current)
    return;
  fiber->donor = nullptr;
  returnDonor(donor);
}

Fiber* fiberOf(uintptr_t pthreadSelf) {
  if (pthreadSelf == scheduler.fibers[0]->fsBase)
    return scheduler.fibers[0];
  Donor* donor = donorAt(pthreadSelf);
  return donor && donor->fsBase == pthreadSelf ? donor->fiber : nullptr;
}

void adoptMainFiber() {
  mapFixed(kMainStackBase, kMainStackBytes + shadowBytes(kMainStackBytes),
           "the main thread's stack");
  Fiber* fiber = newFiber(kMainShadowBase);
  fiber->view.path = ThreadPath::Main;
  fiber->fsBase = readFsBase();
  scheduler.current = fiber;
  scheduler.alive = scheduler.peak = 1;
  scheduler.maxSteps = ~0ull;
  scheduler.strategy = startStrategy();
  __heddle_frame = fiber->shadowTop;
  enable(fiber);
  scheduler.controlled = true;
}

void abandonControl() { scheduler.controlled = false; }

void beginRun(uint64_t seed, const Plan& plan) {
  scheduler.strategy = persistent().strategy;
  scheduler.maxSteps = plan.maxSteps ? scheduler.steps + plan.maxSteps : ~0ull;
  scheduler.replaying = plan.strategy == StrategyKind::Replay;
  scheduler.timeAny = plan.flags & kPlanTimeAny;
  scheduler.spurious = plan.flags & kPlanSpurious;
  scheduler.untilIdle = plan.flags & kPlanUntilIdle;
  scheduler.lastNovelty = scheduler.steps;
  scheduler.strategy->beginRun(seed);
  for (uint32_t i = 0; i < scheduler.threads; ++i)
    scheduler.strategy->threadCreated(scheduler.fibers[i]->view);
  scheduler.strategyWatches = scheduler.strategy->wantsExecuted();
}

void runQuietly() { scheduler.quiet = true; }

void enterProgram(void* stackPointer) {
  Persistent& state = persistent();
  state.serverFsBase = readFsBase();
  writeFsBase(scheduler.current->fsBase);
  heddleSwitch(&state.serverStack, stackPointer);
}

void leaveToServer() {
  Persistent& state = persistent();
  Fiber* fiber = scheduler.current;
  writeFsBase(state.serverFsBase);
  heddleSwitch(&fiber->stackPointer, state.serverStack);
}

RunCounters runCounters() {
  return {scheduler.steps, scheduler.digest, scheduler.threads, scheduler.peak};
}

} // namespace heddle::rt
