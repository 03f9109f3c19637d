#include "runtime/core/scheduler.h"

#include "runtime/base/caller_state.h"
#include "runtime/base/context.h"
#include "runtime/base/persistent.h"
#include "runtime/core/cancellation.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/occurrence.h"
#include "runtime/core/scheduler_entry.h"
#include "runtime/engine/passing_time.h"
#include "runtime/engine/progress.h"
#include "runtime/engine/scheduler_parts.h"
#include "runtime/engine/wait_queue.h"
#include "runtime/memory/access_check.h"
#include "runtime/memory/heap_threads.h"
#include "runtime/memory/shared_memory.h"
#include "runtime/targets/pattern_watch.h"
#include "runtime/targets/target_watch.h"
#include "runtime/time/virtual_timer.h"
#include "runtime/trace/learn.h"
#include "runtime/trace/run_record.h"
#include "runtime/trace/site_modes.h"
#include "runtime/trace/sites.h"
#include "runtime/trace/thinning.h"
#include "runtime/trace/trace_ring.h"

namespace heddle::rt {

SchedulerState scheduler;

namespace {

void switchTo(Fiber* next) {
  Fiber* previous = scheduler.current;
  scheduler.current = next;
  scheduler.lastSwitch = scheduler.steps;
  ++scheduler.switches;
  noteSwitch(previous);
  previous->shadowTop = __heddle_frame;
  __heddle_frame = next->shadowTop;
  heddleTraceCursor.thread = threadWord(raw(next->index()));
  heddleSkips = next->skips;
  useHeapOf(next);
  wantCallerState(next);
  writeFsBase(next->fsBase);
  heddleSwitch(&previous->stackPointer, next->stackPointer);
}

/// The site under which the running fiber's next decision is filed.
SiteId currentSite(const Fiber* fiber, EventKind kind) {
  return fiber->callSite == SiteId::None ? pseudoSite(kind) : fiber->callSite;
}

} // namespace

namespace {

/// Where executions of a site are counted, whether they are steps or not, its other steps (a wait
/// for the lock) must not have the same numbers.
constexpr uint32_t kBesideExecutions = 1u << 31;

Occurrence occurrenceOf(const Fiber* fiber, SiteId site) {
  Occurrence occurrence = countOccurrence(fiber->index(), site);
  if (__builtin_expect(thinNumberOf(site) != kNotThinned, false))
    occurrence.count |= kBesideExecutions;
  return occurrence;
}

} // namespace

uint32_t countStep(Fiber* fiber, SiteId site) {
  Occurrence occurrence = occurrenceOf(fiber, site);
  countStep(occurrence);
  return occurrence.count;
}

void countStep(Occurrence occurrence) {
  ++scheduler.steps;
  scheduler.newPlace = occurrence.first;
  if (occurrence.first)
    scheduler.lastNovelty = scheduler.steps;
  publishProgress(scheduler.steps);
  if (scheduler.steps > scheduler.maxSteps)
    endRun(Outcome::Cut, 0);
}

namespace {

/// How much time may go on in a run while threads that could run stand still, as they do on a busy
/// machine. A time limit of seconds is not reached that way.
constexpr uint64_t kPlausibleDelay = 1'000'000'000;

/// Whether somebody would wake if time went on, and the strategy may ask for that.
bool mayWait() {
  if (!scheduler.holdsThreads)
    return false;
  uint64_t next = nextTimer();
  if (Fiber* timed = scheduler.timedWaiters != 0 ? earliestTimed() : nullptr)
    next = timed->deadline < next ? timed->deadline : next;
  return next != kNoDeadline &&
         (scheduler.timeAny || next + scheduler.delayed <= now() + kPlausibleDelay);
}

/// Strategies need not be fair: threads that repeat themselves in turn can keep the one that they
/// wait for from ever running. Who gives way does so to one that does not repeat, if there is one.
/// A directed strategy holds threads on purpose, and knows when to let them go.
ThreadIndex fairChoice(const EnabledSet& set, ThreadIndex chosen) {
  if (scheduler.replaying || scheduler.holdsThreads || !stands(scheduler.fibers[raw(chosen)]))
    return chosen;
  ThreadIndex fair = chosen;
  for (ThreadIndex next = set.after(chosen); next != chosen; next = set.after(next)) {
    if (stands(scheduler.fibers[raw(next)]))
      continue;
    fair = next;
    break;
  }
  return fair;
}

ThreadIndex ask(Fiber* fiber, Reason reason, SiteId site, uint32_t occurrence) {
  EnabledSet set = enabledSet();
  bool yields = reason == Reason::Yield || reason == Reason::ForcedYield;
  Choice choice = makeChoice(set, fiber, reason == Reason::Point, yields, site, occurrence);
  choice.mayWait = mayWait();
  bool isChoice = set.count() > 1;
  scheduler.choices += isChoice;
  // Where everybody stands still, only a fair round shows whether anybody can go on.
  bool still = reason == Reason::Point && scheduler.stillAt > scheduler.lastChange &&
               !scheduler.replaying && !scheduler.holdsThreads;
  bool asked = (isChoice || yields || choice.mayWait || scheduler.wantsAllChoices) &&
               (scheduler.replaying || mayDeviate());
  ThreadIndex chosen = asked ? scheduler.strategy->choose(choice) : choice.fallback;
  if (chosen == ThreadIndex::None && choice.mayWait) {
    persistent().result.flags |= kResultTimeout;
    uint64_t before = now();
    letTimePass(fiber, site, occurrence);
    scheduler.delayed += now() - before;
    return ask(fiber, reason, site, occurrence);
  }
  if (!isChoice || still)
    chosen = choice.fallback;
  else if (yields)
    chosen = fairChoice(set, chosen);
  if (!set.contains(chosen))
    loseControl("internal error: the strategy chose a thread that cannot run");
  scheduler.preemptions += reason == Reason::Point && chosen != fiber->index();
  // Replay forces nobody to yield, so a forced yield is always a deviation.
  if (chosen != choice.fallback || reason == Reason::ForcedYield)
    logDecision(choice, DecisionKind::Switch, scheduler.fibers[raw(chosen)]->view.path);
  return chosen;
}

} // namespace

void reschedule(Fiber* fiber, Reason reason, SiteId site, uint32_t occurrence) {
  bool currentEnabled = reason == Reason::Point;
  if (__builtin_expect(mayWakeEarly(), false))
    considerEarlyWakes(fiber, site, occurrence);
  if (currentEnabled && scheduler.enabledCount == 1 && !scheduler.wantsAllChoices &&
      !((fiber->view.pending.roles != 0 || fiber->windows != 0) && mayWait()))
    return;
  if (scheduler.enabledCount == 0)
    awaitSomebody();
  ThreadIndex chosen = ask(fiber, reason, site, occurrence);
  if (chosen == fiber->index())
    return;
  switchTo(scheduler.fibers[raw(chosen)]);
}

namespace {

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
  if (scheduler.wantsExecuted)
    scheduler.strategy->executed(fiber->view, enabledSet());
  if (__builtin_expect(fiber->recent.operation.roles != 0, false))
    orderRecent(fiber, fiber->view.pending.kind);
  if (__builtin_expect(fiber->view.pending.roles != 0, false))
    leaveTarget(fiber);
  recordOperation(fiber);
  deliverSignals(fiber);
}

void giveWay(Fiber* fiber, Reason reason, SiteId site, uint32_t occurrence) {
  if (__builtin_expect(mayWakeEarly(), false))
    considerEarlyWakes(fiber, site, occurrence);
  passIdleRound(fiber, site, occurrence);
  passStandstill(fiber, site, occurrence);
  if (scheduler.enabledCount == 1)
    return;
  disable(fiber);
  ThreadIndex chosen = ask(fiber, reason, site, occurrence);
  enable(fiber); // before it is switched away, so that the next decision of others sees it
  if (chosen != fiber->index())
    switchTo(scheduler.fibers[raw(chosen)]);
}

/// Looks whether the pending operation is one of the plan's target.
void lookAtTarget(Fiber* fiber, SiteId site, uint32_t occurrence) {
  if (__builtin_expect(fiber->recent.operation.roles != 0, false) && scheduler.holdsThreads &&
      !keepsToItself(fiber->view.pending.kind))
    lingerAtTarget(fiber);
  if (__builtin_expect(fiber->windows != 0, false))
    lookAtWindows(fiber);
  uint8_t mode = modeOf(site);
  if (__builtin_expect(!(mode & (kModeTarget | kModeSelected)), true))
    return;
  PendingOperation& pending = fiber->view.pending;
  pending.selected = mode & kModeSelected;
  if (!(mode & kModeTarget))
    return;
  pending.roles = rolesAt(fiber, pending.kind, site);
  if (pending.roles != 0)
    arriveAtTarget(fiber, occurrence);
}

/// Whether the thread has run for so long that others get a turn, whatever it does; sooner where it
/// goes round in a loop that they may have to end.
bool isOwedByTurn(Fiber* fiber) {
  uint64_t alone = scheduler.steps - scheduler.lastSwitch;
  if (__builtin_expect(alone <= scheduler.roundSteps, true) && alone <= scheduler.turnSteps)
    return false;
  if (scheduler.enabledCount == 1 || scheduler.replaying)
    return false;
  return alone > scheduler.turnSteps || goesRound(fiber);
}

/// The running fiber gives way although it could go on. Others see that it did not do so by itself.
void yieldByForce(Fiber* fiber, SiteId site, uint32_t occurrence) {
  persistent().result.flags |= kResultForcedYield;
  scheduler.lastSwitch = scheduler.steps;
  giveWay(fiber, Reason::ForcedYield, site, occurrence);
}

/// Others get one turn; how the thread goes on after it says what it did before.
void giveTurn(Fiber* fiber, SiteId site, uint32_t occurrence) {
  uint64_t alone = scheduler.steps - scheduler.lastSwitch;
  if (alone > scheduler.turnSteps && !scheduler.quiet) {
    persistent().result.flags |= kResultTurn;
    scheduler.turnSteps *= 2;
  } else if (alone > scheduler.roundSteps) {
    scheduler.roundSteps *= 2;
  }
  noteTurn(fiber, site);
  yieldByForce(fiber, site, occurrence);
}

/// The decision at a point that the running fiber could simply pass.
void decideAt(Fiber* fiber, SiteId site, uint32_t occurrence) {
  bool isOwed = isOwedByTurn(fiber);
  Standing standing =
      scheduler.replaying ? Standing::Works : lookAtProgress(fiber, scheduler.newPlace);
  bool givesTurn = standing == Standing::StandsStill || isOwed;
  bool givesWay = givesTurn || standing == Standing::Repeats;
  if (__builtin_expect(!givesWay, true) || !scheduler.strategy->mayForceYield())
    return reschedule(fiber, Reason::Point, site, occurrence);
  if (givesTurn)
    giveTurn(fiber, site, occurrence);
  else
    yieldByForce(fiber, site, occurrence);
}

/// Input, output and clocks: what a comparison of memory knows nothing of.
bool concernsOutside(EventKind kind) {
  return kind == EventKind::Io || kind == EventKind::ClockRead || kind == EventKind::Sleep;
}

__attribute__((noinline)) void passPoint(EventKind kind, const void* object, Fiber* fiber,
                                         SiteId site, Occurrence counted) {
  fiber->view.pending = {kind, site, memoryIdentity(reinterpret_cast<uintptr_t>(object))};
  countStep(counted);
  uint32_t occurrence = counted.count;
  if (__builtin_expect(concernsOutside(kind), false))
    noteOutsideWorld(fiber);
  lookAtTarget(fiber, site, occurrence);
  decideAt(fiber, site, occurrence);
  execute(fiber);
  // Only now: others may have freed it in between.
  if (scheduler.checkHeap && isSync(kind))
    checkObject(object, kind, site);
}

__attribute__((noinline)) void yieldOnce(EventKind kind, const void* object) {
  Fiber* fiber = scheduler.current;
  SiteId site = currentSite(fiber, kind);
  fiber->view.pending = {kind, site, memoryIdentity(reinterpret_cast<uintptr_t>(object))};
  uint32_t occurrence = countStep(fiber, site);
  Standing standing =
      scheduler.replaying ? Standing::Works : lookAtProgress(fiber, scheduler.newPlace);
  if (standing == Standing::StandsStill)
    noteTurn(fiber, site);
  // A search through all interleavings decides by itself who goes on.
  if (scheduler.halves && standing == Standing::Works)
    reschedule(fiber, Reason::Point, site, occurrence);
  else
    giveWay(fiber, Reason::Yield, site, occurrence);
  execute(fiber);
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
  passPoint(kind, object, fiber, site, occurrenceOf(fiber, site));
  scrubStack();
}

void point(EventKind kind, const void* object, Occurrence occurrence) {
  Fiber* fiber = scheduler.current;
  passPoint(kind, object, fiber, fiber->callSite, occurrence);
  scrubStack();
}

void accessPoint(EventKind kind, const void* address, uint64_t size, SiteId site,
                 Occurrence occurrence) {
  Fiber* fiber = scheduler.current;
  auto location = reinterpret_cast<uintptr_t>(address);
  auto bytes = static_cast<uint32_t>(size > UINT32_MAX ? UINT32_MAX : size);
  fiber->view.pending = {kind, site, location, bytes};
  countStep(occurrence);
  lookAtTarget(fiber, site, occurrence.count);
  decideAt(fiber, site, occurrence.count);
  execute(fiber);
}

void freePoint(const void* block, uint64_t size) {
  SiteId site = scheduler.current->callSite;
  if ((modeOf(site) & kModeTarget) || (scheduler.halves && isListedSite(site)))
    accessPoint(EventKind::Free, block, size, site,
                countOccurrence(scheduler.current->index(), site));
}

void yieldNow(EventKind kind, const void* object) {
  yieldOnce(kind, object);
  scrubStack();
}

void breakUnseenSpin() {
  Fiber* fiber = scheduler.current;
  SiteId site = pseudoSite(EventKind::Spin); // its own place: the last step was another decision
  fiber->view.pending = {EventKind::Spin, site, 0};
  uint32_t occurrence = countStep(fiber, site);
  persistent().result.flags |= kResultForcedYield;
  if (scheduler.enabledCount == 1)
    letTimePass(fiber, site, occurrence);
  giveWay(fiber, Reason::ForcedYield, site, occurrence);
  deliverSignals(fiber);
}

void noteFutileAttempt(const void* object) {
  Fiber* fiber = scheduler.current;
  constexpr uint32_t patience = 3;
  if (fiber->futileObject != object)
    fiber->futileCount = 0;
  fiber->futileObject = object;
  if (++fiber->futileCount < patience)
    return;
  fiber->futileCount = 0;
  yieldNow(EventKind::Yield, object);
}

WakeReason blockOn(const void* object, WaitKind kind, uint64_t deadline) {
  Fiber* fiber = scheduler.current;
  SiteId site = fiber->view.pending.site;
  uint32_t occurrence = countStep(fiber, site);
  fiber->waitKind = kind;
  fiber->waitObject = object;
  fiber->deadline = deadline;
  fiber->state = ThreadState::Blocked;
  fiber->retryable = false;
  if (deadline != kNoDeadline) {
    ++scheduler.timedWaiters;
    if (kind != WaitKind::Sleep)
      persistent().result.flags |= kResultTimedWait;
  }
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
  // A lock must still be there for who gets it; what only notifies may be gone by now.
  if (scheduler.checkHeap && (kind == WaitKind::Mutex || kind == WaitKind::RwLockRead ||
                              kind == WaitKind::RwLockWrite || kind == WaitKind::SpinLock))
    checkObject(object, fiber->view.pending.kind, site);
  WakeReason reason = fiber->wakeReason; // a signal handler may block and be woken itself
  deliverSignals(fiber);
  return reason;
}

void note(EventKind kind, const void* object, uint8_t result) {
  if (scheduler.quiet)
    return;
  if (__builtin_expect(scheduler.current->recent.operation.roles != 0, false))
    orderRecent(scheduler.current, kind);
  recordNote(scheduler.current, kind, object, result);
  scrubStack();
}

void halfPoint(EventKind kind, const void* object) {
  if (scheduler.halves)
    point(kind, object);
}

bool hasHalfPoints() { return scheduler.halves; }

} // namespace heddle::rt
