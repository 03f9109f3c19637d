#include "runtime/base/context.h"
#include "runtime/base/persistent.h"
#include "runtime/core/scheduler_entry.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/targets/target_watch.h"
#include "runtime/trace/thinning.h"

/// How a run begins, and the ways between the run loop and the program.
namespace heddle::rt {

namespace {

/// Steps that a thread makes alone, whatever it does, before others get a turn once: it may never
/// end without them (a heartbeat until somebody says stop).
constexpr uint64_t kTurnSteps = 1 << 24;
/// The same where it goes round in a loop that has nothing of its own that changes.
constexpr uint64_t kRoundSteps = 1 << 18;
/// Without a controller nobody replays the run, and turns are short.
constexpr uint64_t kQuietTurnSteps = 1000;

} // namespace

void setIoPoll(IoPoll poll) { scheduler.ioPoll = poll; }

void setSignalDelivery(void (*deliver)(Fiber*)) { scheduler.deliverSignals = deliver; }

void abandonControl() { scheduler.controlled = false; }

void beginRun(uint64_t seed, const Plan& plan) {
  scheduler.strategy = persistent().strategy;
  scheduler.maxSteps = plan.maxSteps ? scheduler.steps + plan.maxSteps : ~0ull;
  StrategyTraits traits = scheduler.strategy->traits();
  scheduler.directed = scheduler.strategy->directed();
  scheduler.tolerant = traits.follows == Following::WhereItApplies;
  scheduler.replaying = traits.follows == Following::Exactly;
  scheduler.holdsThreads = traits.holdsThreads;
  scheduler.wantsExecuted = traits.wantsExecuted;
  scheduler.wantsAllChoices = traits.wantsAllChoices;
  scheduler.timeAny = plan.flags & kPlanTimeAny;
  scheduler.delays = plan.flags & kPlanDelays;
  scheduler.spurious = plan.flags & kPlanSpurious;
  scheduler.untilIdle = plan.flags & kPlanUntilIdle;
  scheduler.checkHeap = plan.flags & kPlanCheckHeap;
  scheduler.lastNovelty = scheduler.lastChange = scheduler.steps;
  scheduler.turnSteps = plan.turnSteps != 0 ? plan.turnSteps : kTurnSteps;
  scheduler.roundSteps = kRoundSteps;
  watchTarget(plan);
  beginThinning(plan, seed);
  scheduler.strategy->beginRun(seed);
  for (uint32_t i = 0; i < scheduler.threads; ++i)
    scheduler.strategy->threadCreated(scheduler.fibers[i]->view);
  scheduler.halves = plan.flags & kPlanHalves;
}

void runQuietly() {
  scheduler.quiet = true;
  scheduler.turnSteps = kQuietTurnSteps;
}

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
