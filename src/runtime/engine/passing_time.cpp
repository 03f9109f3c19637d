#include "runtime/engine/passing_time.h"

#include "runtime/base/persistent.h"
#include "runtime/core/end_of_run.h"
#include "runtime/engine/memory_sum.h"
#include "runtime/engine/progress.h"
#include "runtime/engine/scheduler_parts.h"
#include "runtime/time/virtual_timer.h"
#include "runtime/trace/run_record.h"

namespace heddle::rt {

namespace {

/// When nobody was seen to make progress for so many steps, time goes on, proven or not.
constexpr uint64_t kStandingSteps = 10000;

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

/// The same, because the strategy delays the others.
void expireByDelay(Fiber* timed, const Choice& choice) {
  persistent().result.flags |= kResultTimeout;
  uint64_t before = now();
  expireEarly(timed, choice);
  scheduler.delayed += now() - before;
}

/// How much time may go on in a sampled run while threads that could run stand still. Programs have
/// limits of seconds against waiting for ever; that one is reached is no order of threads.
constexpr uint64_t kSampledDelay = 200'000'000;

/// The timed wait that may expire next although somebody could run; null: none.
Fiber* earlyWaiter(bool follows) {
  if (!scheduler.timeAny && !scheduler.delays && !follows)
    return nullptr;
  Fiber* timed = earliestTimed();
  bool isPlausible = timed && timed->deadline + scheduler.delayed <= now() + kSampledDelay;
  return scheduler.timeAny || follows || isPlausible ? timed : nullptr;
}

[[noreturn]] void failHang() {
  failRun(FailureKind::Hang,
          "no thread makes progress: all threads that can run repeat themselves, with the same "
          "registers, stacks and memory");
}

/// Everybody repeats: whether the memory does so as well. What threads do at sites without hooks is
/// seen there only. The first time the memory is only looked at, and all are to repeat once more.
bool memoryRepeats() {
  if (scheduler.steps < scheduler.sumAgainAt)
    return false;
  uint64_t from =
      scheduler.proofFrom > scheduler.lastChange ? scheduler.proofFrom : scheduler.lastChange;
  uint64_t sum = memorySum(from);
  bool again = scheduler.repeatedSum != 0 && scheduler.sumFrom == scheduler.proofFrom &&
               scheduler.proofFrom > scheduler.lastChange;
  if (again && sum == scheduler.repeatedSum)
    return true;
  if (again) // less and less often: it is not cheap
    scheduler.sumAgainAt = scheduler.steps + (scheduler.sumInterval *= 2);
  scheduler.repeatedSum = again ? 0 : sum;
  scheduler.sumFrom = scheduler.proofFrom = scheduler.steps;
  return false;
}

} // namespace

void considerEarlyWakes(Fiber* current, SiteId site, uint32_t occurrence) {
  bool follows = scheduler.replaying || scheduler.tolerant;
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
  while (Fiber* timed = earlyWaiter(follows)) {
    if (!scheduler.strategy->chooseEarly(choice, DecisionKind::Timeout, timed->view))
      break;
    if (scheduler.delays)
      expireByDelay(timed, choice);
    else
      expireEarly(timed, choice);
    scheduler.earlyAt = scheduler.steps;
    if (!follows)
      break;
  }
  if (scheduler.replaying &&
      scheduler.strategy->chooseEarly(choice, DecisionKind::Hang, current->view))
    failHang();
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

void lookAtStandstill(Fiber* fiber, SiteId site, uint32_t occurrence) {
  scheduler.standAgainAt = scheduler.steps + scheduler.threads; // all of them are looked at
  if (!everybodyStands(/*proven=*/false))
    return;
  scheduler.stillAt = scheduler.steps;
  bool forLong = scheduler.steps - scheduler.lastChange > kStandingSteps;
  bool proven = everybodyStands(/*proven=*/true) && memoryRepeats();
  if (!proven && !forLong)
    return;
  uint64_t before = scheduler.lastChange;
  letTimePass(fiber, site, occurrence);
  if (!proven || scheduler.lastChange != before || waitsForIo() || scheduler.quiet)
    return;
  EnabledSet set = enabledSet();
  logDecision(bareChoice(set, fiber, site, occurrence), DecisionKind::Hang, fiber->view.path);
  failHang();
}

} // namespace heddle::rt
