#include "scheduler.h"

#include "cancel_model.h"
#include "context.h"
#include "failure.h"
#include "heap.h"
#include "learn.h"
#include "occurrence.h"
#include "pattern_watch.h"
#include "persistent.h"
#include "run_record.h"
#include "scheduler_entry.h"
#include "scheduler_parts.h"
#include "sites.h"
#include "target_watch.h"
#include "thread_model.h"
#include "trace_ring.h"
#include "virtual_time.h"
#include "virtual_timer.h"
#include "wait_queue.h"

namespace heddle::rt {

SchedulerState scheduler;

namespace {

/// After this many reads of the same unchanged place a thread counts as spinning.
constexpr uint32_t kSpinLimit = 16;
/// The same with kPlanPatient: what only looked like spinning need not give way.
constexpr uint32_t kPatientSpinLimit = 128;
/// The same in profiling runs, of which some let one thread be far ahead of another.
constexpr uint32_t kProfilingSpinLimit = 2048;
/// After this many rounds of yields in which nobody did anything else, time goes on.
constexpr uint32_t kIdleRounds = 4;
/// A thread that ran this many steps alone, nowhere new, gives way: it may be polling under a lock.
constexpr uint64_t kSoloSteps = 1000;
constexpr uint64_t kProfilingSoloSteps = 8 * kSoloSteps;
/// After this many steps in which no thread was anywhere new, the next timer expires: somebody may
/// be polling for what a sleeper will do.
constexpr uint64_t kPatientSteps = 10000;

void switchTo(Fiber* next) {
  Fiber* previous = scheduler.current;
  scheduler.current = next;
  scheduler.lastSwitch = scheduler.steps;
  ++scheduler.switches;
  previous->lastRan = scheduler.steps;
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

/// How many steps without anything new a thread that could run is left out for, at most, and how
/// many it then gets: a run is called a hang only when everybody had many such turns.
uint64_t starvingSteps() { return scheduler.maxSteps / 16; }
uint64_t grantedSteps() { return scheduler.maxSteps / 128; }

/// Ends the run when it has used its steps: a hang if nothing new happened for half of them.
[[noreturn]] void outOfSteps() {
  if (scheduler.steps - scheduler.lastNovelty > scheduler.maxSteps / 2)
    failRun(FailureKind::Hang,
            formatMessage("no thread made progress: %lu steps without anything new",
                          scheduler.steps - scheduler.lastNovelty));
  endRun(Outcome::Cut, 0);
}

} // namespace

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

namespace {

/// The running fiber's decision, as far as early wakes are concerned.
Choice bareChoice(const EnabledSet& set, Fiber* fiber, SiteId site, uint32_t occurrence) {
  return {set,        fiber->index(),   false, false, fiber->index(), identityOf(site),
          occurrence, /*mayWait=*/false};
}

/// A timer expires although somebody could run: a deviation, which replay repeats by itself.
void fireEarly(const Choice& choice) {
  logDecision(choice, DecisionKind::Timeout, ThreadPath::None);
  fireNextTimer();
}

/// The same for a timed wait.
void expireEarly(Fiber* timed, const Choice& choice) {
  logDecision(choice, DecisionKind::Timeout, timed->view.path);
  expire(timed);
}

/// --time=any, --spurious and replay: the strategy may wake a waiter early.
void considerEarlyWakes(Fiber* current, SiteId site, uint32_t occurrence) {
  bool follows = scheduler.replaying || scheduler.tolerant;
  if (!scheduler.timeAny && !scheduler.spurious && !follows)
    return;
  if (scheduler.tolerant && scheduler.earlyAt == scheduler.steps)
    return; // asked before at this point
  EnabledSet set = enabledSet();
  Choice choice = bareChoice(set, current, site, occurrence);
  static ThreadView noThread; // whom a timer of the program wakes is not decided here
  while (follows && nextTimer() != kNoDeadline &&
         scheduler.strategy->chooseEarly(choice, DecisionKind::Timeout, noThread)) {
    fireEarly(choice);
    scheduler.earlyAt = scheduler.steps;
  }
  while (Fiber* timed = scheduler.timeAny || follows ? earliestTimed() : nullptr) {
    if (!scheduler.strategy->chooseEarly(choice, DecisionKind::Timeout, timed->view))
      break;
    expireEarly(timed, choice);
    scheduler.earlyAt = scheduler.steps;
    if (!follows)
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
  if (scheduler.tolerant) { // time that the schedule has let pass here does not pass twice
    considerEarlyWakes(current, site, occurrence);
    if (scheduler.earlyAt == scheduler.steps)
      return;
  }
  Fiber* timed = earliestTimed();
  if (nextTimer() < (timed ? timed->deadline : kNoDeadline)) {
    EnabledSet set = enabledSet();
    fireEarly(bareChoice(set, current, site, occurrence));
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

/// Whether somebody would wake if time went on, and the strategy may ask for that.
bool mayWait() {
  return scheduler.directed && (scheduler.timedWaiters != 0 || nextTimer() != kNoDeadline);
}

/// The enabled thread that has been left out for longest, if that is too long.
ThreadIndex starvedThread(const EnabledSet& set) {
  ThreadIndex starved = ThreadIndex::None;
  uint64_t oldest = scheduler.steps - starvingSteps();
  set.forEach([&](const ThreadView& thread) {
    uint64_t lastRan = scheduler.fibers[raw(thread.index)]->lastRan;
    if (thread.index != scheduler.current->index() && lastRan < oldest) {
      oldest = lastRan;
      starved = thread.index;
    }
  });
  return starved;
}

/// Strategies need not be fair: threads that spin in turn can keep the one that they wait for from
/// ever running. When nothing new happens for long, who was left out gets a turn all the same. A
/// directed strategy holds threads on purpose, and knows when to let them go.
ThreadIndex fairChoice(const EnabledSet& set, ThreadIndex chosen) {
  bool stuck = scheduler.steps - scheduler.lastNovelty > starvingSteps();
  if (__builtin_expect(!stuck, true) || scheduler.replaying || scheduler.directed)
    return chosen;
  if (scheduler.steps >= scheduler.grantEnds || !set.contains(scheduler.granted)) {
    scheduler.granted = starvedThread(set);
    scheduler.grantEnds = scheduler.steps + grantedSteps();
  }
  return scheduler.granted == ThreadIndex::None ? chosen : scheduler.granted;
}

ThreadIndex ask(Fiber* fiber, Reason reason, SiteId site, uint32_t occurrence) {
  EnabledSet set = enabledSet();
  bool yields = reason == Reason::Yield || reason == Reason::ForcedYield;
  Choice choice = makeChoice(set, fiber, reason == Reason::Point, yields, site, occurrence);
  choice.mayWait = mayWait();
  bool isChoice = set.count() > 1;
  scheduler.choices += isChoice;
  bool asked = isChoice || yields || choice.mayWait;
  ThreadIndex chosen = asked ? scheduler.strategy->choose(choice) : choice.fallback;
  if (chosen == ThreadIndex::None && choice.mayWait) {
    letTimePass(fiber, site, occurrence);
    return ask(fiber, reason, site, occurrence);
  }
  if (!isChoice)
    chosen = choice.fallback;
  else
    chosen = fairChoice(set, chosen);
  if (!set.contains(chosen))
    loseControl("internal error: the strategy chose a thread that can not run");
  scheduler.preemptions += reason == Reason::Point && chosen != fiber->index();
  // Replay forces nobody to yield, so a forced yield is always a deviation.
  if (chosen != choice.fallback || reason == Reason::ForcedYield)
    logDecision(choice, DecisionKind::Switch, scheduler.fibers[raw(chosen)]->view.path);
  return chosen;
}

} // namespace

void reschedule(Fiber* fiber, Reason reason, SiteId site, uint32_t occurrence) {
  bool currentEnabled = reason == Reason::Point;
  considerEarlyWakes(fiber, site, occurrence);
  if (currentEnabled && scheduler.enabledCount == 1 &&
      !((fiber->view.pending.roles != 0 || fiber->windows != 0) && mayWait()))
    return;
  if (scheduler.enabledCount == 0)
    awaitSomebody();
  ThreadIndex chosen = ask(fiber, reason, site, occurrence);
  if (chosen == fiber->index())
    return;
  if (scheduler.patient)
    fiber->spinCount = 0; // the schedule may have made it give way here
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
  if (scheduler.strategyWatches)
    scheduler.strategy->executed(fiber->view, enabledSet());
  if (__builtin_expect(fiber->recent.operation.roles != 0, false))
    orderRecent(fiber, fiber->view.pending.kind);
  if (__builtin_expect(fiber->view.pending.roles != 0, false))
    leaveTarget(fiber);
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

/// Looks whether the pending operation is one of the plan's target.
void lookAtTarget(Fiber* fiber, SiteId site, uint32_t occurrence) {
  if (__builtin_expect(fiber->recent.operation.roles != 0, false) && scheduler.directed &&
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

bool runsAlone() {
  uint64_t since =
      scheduler.lastSwitch > scheduler.lastNovelty ? scheduler.lastSwitch : scheduler.lastNovelty;
  uint64_t limit = scheduler.profiling ? kProfilingSoloSteps : kSoloSteps;
  return scheduler.steps - since > limit && scheduler.enabledCount > 1 && !scheduler.replaying;
}

/// The decision at a point that the running fiber could simply pass.
void decideAt(Fiber* fiber, SiteId site, uint32_t occurrence, bool spinning) {
  if (scheduler.steps - scheduler.lastNovelty > kPatientSteps &&
      scheduler.steps % kPatientSteps == 0)
    letTimePass(fiber, site, occurrence);
  bool givesWay = (spinning || runsAlone()) && scheduler.strategy->mayForceYield();
  if (!givesWay) {
    reschedule(fiber, Reason::Point, site, occurrence);
    return;
  }
  persistent().result.flags |= kResultForcedYield;
  scheduler.lastSwitch = scheduler.steps;
  giveWay(fiber, Reason::ForcedYield, site, occurrence);
}

uint32_t spinLimit() {
  return scheduler.profiling ? kProfilingSpinLimit
         : scheduler.patient ? kPatientSpinLimit
                             : kSpinLimit;
}

/// A thread that reads the same place again and again waits for it to change. Replay does not
/// look: what was forced in the recorded run is in the schedule.
bool spins(Fiber* fiber, EventKind kind, uint64_t address, SiteId site) {
  if (isWrite(kind) && kind != EventKind::AtomicUpdate) {
    fiber->spinCount = 0;
    return false;
  }
  if (fiber->spinSite == site && fiber->spinAddress == address)
    return ++fiber->spinCount > spinLimit() && !scheduler.replaying;
  if (fiber->spinSite == site || fiber->spinCount == 0) {
    fiber->spinSite = site;
    fiber->spinAddress = address;
    fiber->spinCount = 1;
  }
  return false;
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
  lookAtTarget(fiber, site, occurrence);
  decideAt(fiber, site, occurrence, false);
  execute(fiber);
  // Only now: others may have freed it in between.
  if (scheduler.checkHeap && isSync(kind))
    checkObject(object, kind, site);
}

void accessPoint(EventKind kind, const void* address, uint64_t size, SiteId site) {
  Fiber* fiber = scheduler.current;
  auto location = reinterpret_cast<uintptr_t>(address);
  auto bytes = static_cast<uint32_t>(size > UINT32_MAX ? UINT32_MAX : size);
  fiber->view.pending = {kind, site, location, bytes};
  uint32_t occurrence = countStep(fiber, site);
  lookAtTarget(fiber, site, occurrence);
  bool spinning = spins(fiber, kind, location, site);
  if (spinning)
    fiber->spinCount = 0;
  decideAt(fiber, site, occurrence, spinning);
  execute(fiber);
}

void freePoint(const void* block, uint64_t size) {
  SiteId site = scheduler.current->callSite;
  if (modeOf(site) & kModeTarget)
    accessPoint(EventKind::Free, block, size, site);
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
}

void setIoPoll(IoPoll poll) { scheduler.ioPoll = poll; }

void setSignalDelivery(void (*deliver)(Fiber*)) { scheduler.deliverSignals = deliver; }

void abandonControl() { scheduler.controlled = false; }

void beginRun(uint64_t seed, const Plan& plan) {
  scheduler.strategy = persistent().strategy;
  scheduler.maxSteps = plan.maxSteps ? scheduler.steps + plan.maxSteps : ~0ull;
  bool follows = plan.strategy == StrategyKind::Replay;
  scheduler.tolerant = follows && (plan.flags & kPlanTolerant) != 0;
  scheduler.patient = scheduler.tolerant && (plan.flags & kPlanPatient) != 0;
  scheduler.replaying = follows && !scheduler.tolerant;
  scheduler.profiling = !follows && (plan.flags & kPlanUnits) != 0;
  scheduler.directed = plan.strategy == StrategyKind::Directed;
  scheduler.timeAny = plan.flags & kPlanTimeAny;
  scheduler.spurious = plan.flags & kPlanSpurious;
  scheduler.untilIdle = plan.flags & kPlanUntilIdle;
  scheduler.checkHeap = plan.flags & kPlanCheckHeap;
  scheduler.lastNovelty = scheduler.steps;
  watchTarget(plan);
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
  return {scheduler.steps, scheduler.choices,     scheduler.digest,  scheduler.threads,
          scheduler.peak,  scheduler.preemptions, scheduler.switches};
}

} // namespace heddle::rt
