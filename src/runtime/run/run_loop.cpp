#include "runtime/run/run_loop.h"

#include "runtime/base/arena.h"
#include "runtime/base/context.h"
#include "runtime/base/message.h"
#include "runtime/base/persistent.h"
#include "runtime/base/process_end.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/base/real_time.h"
#include "runtime/base/restorable.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler_entry.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/failure/failure.h"
#include "runtime/io/file_model.h"
#include "runtime/io/program_notes.h"
#include "runtime/memory/donor.h"
#include "runtime/process/exit_model.h"
#include "runtime/process/module_fini.h"
#include "runtime/run/batch_results.h"
#include "runtime/run/program_arguments.h"
#include "runtime/run/selftest.h"
#include "runtime/run/shared_contents.h"
#include "runtime/run/snapshot.h"
#include "runtime/run/windows.h"
#include "runtime/threads/thread_model.h"
#include "runtime/time/virtual_time.h"
#include "runtime/trace/behaviour.h"
#include "runtime/trace/learn.h"
#include "runtime/trace/run_record.h"
#include "runtime/trace/site_dump.h"
#include "runtime/trace/site_modes.h"
#include "runtime/trace/sites.h"
#include "runtime/trace/thinning.h"
#include "runtime/unseen/dispatched_calls.h"
#include "runtime/unseen/unseen_spin.h"
#include "strategy/directed_strategy.h"

#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Set by the linker when the program contains HEDDLE_READY(), which puts a mark in this section.
extern "C" __attribute__((weak, visibility("hidden"))) const char __start_heddle_ready_mark[];

namespace heddle::rt {

namespace {

ProgramMain programMain = nullptr;
ProgramArguments arguments;

bool atReadyPoint = false; ///< the snapshot point is HEDDLE_READY() and not the entry of main

/// Where a run starts: at the entry of main, or after HEDDLE_READY().
void* startContext() { return atReadyPoint ? scheduler.current->stackPointer : freshMainContext(); }

void mainEntry() {
  exitProgram(runMain(programMain, arguments.count, arguments.values, arguments.environment));
}

/// Without a controller the process ends as the program itself would have.
[[noreturn]] void leaveAsProgram(const RunResult& result) {
  if (result.outcome == Outcome::Finished)
    leaveProcess(result.exitStatus);
  leaveProcess(70); // EX_SOFTWARE; the message is on stderr
}

void setPhase(BatchHeader& batch, Phase phase) {
  batch.phase = phase;
  rawSyscall(SYS_futex, asLong(const_cast<Phase*>(&batch.phase)), FUTEX_WAKE, 1);
}

void waitForPlan(BatchHeader& batch) {
  for (;;) {
    Phase phase = batch.phase;
    if (phase == Phase::PlanReady)
      return;
    if (phase == Phase::Quit)
      leaveProcess(0);
    rawSyscall(SYS_futex, asLong(const_cast<Phase*>(&batch.phase)), FUTEX_WAIT,
               static_cast<long>(phase));
  }
}

void emptyFile(long descriptor) {
  struct stat status;
  if (rawSyscall(SYS_fstat, descriptor, asLong(&status)) == 0 && status.st_size != 0)
    rawSyscall(SYS_ftruncate, descriptor, 0);
}

/// Input is read from its beginning and output begins anew in every run.
void rewindDescriptors(const Plan& plan) {
  rawSyscall(SYS_lseek, 0, 0, SEEK_SET);
  if (!(plan.flags & kPlanCapture))
    return;
  emptyFile(1);
  emptyFile(2);
}

/// What was shared at the snapshot point; it is the same in every batch.
SharedContents sharedMemory(kSharedCopyBase);
bool sharedMemoryKept = false;

void keepSharedMemory() {
  if (!sharedMemoryKept)
    sharedMemory.keep();
  sharedMemoryKept = true;
}

/// A run in place that has changed mappings is the last one of its process.
void putBackSharedMemory(const Plan& plan) {
  bool mappingsKnown =
      plan.isolation == Isolation::Fork || !(persistent().result.flags & kResultNotRestorable);
  if (plan.isolation != Isolation::Exec && mappingsKnown)
    sharedMemory.putBack();
}

/// One run in this process, from the snapshot point to its end.
void executeRun(BatchHeader& batch, uint64_t seed) {
  const Plan& plan = batch.plan;
  batch.pid = static_cast<uint32_t>(rawSyscall(SYS_getpid));
  startTime(plan.timeBase);
  beginRecord(plan);
  beginBehaviours();
  if (plan.flags & kPlanLearn)
    beginLearning();
  beginRun(seed, plan);
  uint32_t known = siteCount();
  beginSpinWatch();
  enterProgram(startContext());
  endSpinWatch();
  // Libraries that the run has loaded have sites of their own.
  if ((plan.flags & kPlanDumpSites) && siteCount() != known && !dumpSites(batch))
    loseControl("the program has more sites than the controller's table holds");
  if (siteCount() != known) // copies would number them each in its own way
    noteNotRestorable("a library with hooks that was loaded");
  if (plan.flags & kPlanLearn)
    endLearning(batch);
  else if (plan.flags & kPlanDumpSites)
    dumpExecutions(batch);
}

void reapChild(BatchHeader& batch, long child) {
  int status = 0;
  while (rawSyscall(SYS_wait4, child, asLong(&status), 0, 0) == -4) // EINTR
    ;
  RunResult& result = persistent().result;
  if (result.outcome != Outcome::NotRun)
    return;
  result.outcome = Outcome::Died;
  batch.detail.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void forkRun(BatchHeader& batch, uint64_t seed) {
  Persistent& state = persistent();
  state.forkChild = true; // for the child; shared, and the server sleeps until it has ended
  long child = rawSyscall(SYS_clone, SIGCHLD);
  if (child < 0)
    loseControl("fork failed: no process left for another run; is a process limit in force?");
  if (child == 0) {
    forgetSpinTimer();
    executeRun(batch, seed);
    leaveProcess(0);
  }
  batch.pid = static_cast<uint32_t>(child);
  reapChild(batch, child);
  state.forkChild = false;
  collectBehaviours();
}

/// A run that needed more donors than the pool has made stacks that the snapshot does not know:
/// they would not be put back, and who uses them next would start in the frames of the last one.
void runInPlace(BatchHeader& batch, uint64_t seed) {
  uint32_t donors = donorCount();
  executeRun(batch, seed);
  bool madeDonors = donorCount() != donors;
  undoKernelState();
  restoreSnapshot();
  if (madeDonors)
    noteProcessChange("it had more threads at the same time than the first run");
  else if (const char* why = whyNotRestorable())
    noteNotRestorable(why);
}

/// For the summary, where the run has nothing else to say.
void tellWhyNotRestorable(BatchHeader& batch) {
  const Persistent& state = persistent();
  bool ended = state.result.outcome == Outcome::Finished || state.result.outcome == Outcome::Idle;
  if (ended && state.notRestorable)
    strncpy(
        batch.detail.message,
        formatMessage("%s: restoring the program's memory does not undo it", state.notRestorable),
        kMessageBytes - 1);
}

void oneRun(BatchHeader& batch, uint64_t index) {
  Persistent& state = persistent();
  const Plan& plan = batch.plan;
  uint64_t begin = realNanos();
  batch.currentRun = index;
  batch.currentSteps = 0;
  batch.detail.failure = FailureKind::None;
  batch.detail.site = 0;
  batch.detail.message[0] = 0;
  state.notRestorable = nullptr;
  state.result = {};
  state.result.seed = plan.firstSeed + (isPass(plan) ? plan.runCount - 1 : index);
  rewindDescriptors(plan);
  switch (plan.isolation) {
  case Isolation::Exec:
    executeRun(batch, state.result.seed);
    break;
  case Isolation::Fork:
    forkRun(batch, state.result.seed);
    break;
  case Isolation::InPlace:
    runInPlace(batch, state.result.seed);
    break;
  }
  putBackSharedMemory(plan);
  if (state.passLeft)
    return; // its last window is the last run
  tellWhyNotRestorable(batch);
  state.result.nanos = realNanos() - begin;
  keepResult(batch, state.result);
}

BatchStop runAll(BatchHeader& batch) {
  const Plan& plan = batch.plan;
  persistent().batchStartNanos = realNanos();
  persistent().passLeft = false;
  uint64_t runs = plan.isolation == Isolation::Exec || isPass(plan) ? 1 : plan.runCount;
  for (uint64_t i = 0; i < runs && i < kMaxBatchRuns; ++i) {
    oneRun(batch, i);
    if (endsBatch(persistent().result, plan))
      return BatchStop::Failure;
    if ((plan.flags & kPlanStopAtMeeting) && persistent().result.meetings != 0)
      return BatchStop::Meeting;
    if (plan.isolation == Isolation::InPlace && (persistent().result.flags & kResultNotRestorable))
      return BatchStop::NeedExec;
    if (isOutOfTime(plan))
      return BatchStop::WallTime;
  }
  return BatchStop::AllRuns;
}

void prepareBatch(BatchHeader& batch) {
  Persistent& state = persistent();
  auto* base = reinterpret_cast<char*>(&batch);
  const Plan& plan = batch.plan;
  batch.runsDone = 0;
  if (!reserveDonors(plan.donorPool))
    loseControl("the system gives no more threads; is a limit on threads or processes in force?");
  auto* schedule = reinterpret_cast<Decision*>(base + batch.schedule.offset);
  state.strategy = strategyInWindows(makeStrategy(state.strategyMemory, plan, schedule), plan);
  state.strategy->beginBatch(plan);
  applyPlan(plan, reinterpret_cast<uint64_t*>(base + batch.listedSites.offset));
  if ((plan.flags & kPlanDumpSites) && !dumpSites(batch))
    loseControl("the program has more sites than the controller's table holds");
}

[[noreturn]] void serveBatches(BatchHeader& batch) {
  if (batch.phase != Phase::PlanReady)
    setPhase(batch, Phase::Idle);
  for (;;) {
    waitForPlan(batch);
    batch.phase = Phase::Running;
    bool last = batch.plan.isolation == Isolation::Exec;
    prepareBatch(batch);
    keepKernelState();
    if (!last)
      keepSharedMemory();
    if (batch.plan.isolation == Isolation::InPlace)
      watchUnseenSpins(); // timers survive a restore
    if (batch.plan.isolation == Isolation::InPlace && !takeSnapshot()) {
      strncpy(batch.detail.message, snapshotObstacle(), kMessageBytes - 1);
      batch.stop = BatchStop::NeedExec;
    } else if (batch.plan.flags & kPlanDescribeOnly) {
      batch.stop = BatchStop::AllRuns;
    } else {
      batch.stop = runAll(batch);
    }
    setPhase(batch, Phase::Done);
    if (last)
      leaveProcess(0);
  }
}

/// Runs the set-up of a program that moves the snapshot point, without preemption.
void runToReadyPoint(BatchHeader& batch) {
  expectHooks();
  beginSpinWatch();
  enterProgram(freshMainContext());
  endSpinWatch();
  if (atReadyPoint)
    return;
  strncpy(batch.startupError,
          "the program ended before it reached HEDDLE_READY(): call it on every path through main",
          kMessageBytes - 1);
  leaveProcess(4);
}

[[noreturn]] void runAlone() {
  Persistent& state = persistent();
  state.result = {};
  Plan plan = selftestPlan(arguments.environment);
  state.strategy = makeStrategy(state.strategyMemory, plan, nullptr);
  state.strategy->beginBatch(plan);
  if (isSelftest(arguments.environment))
    applyPlan(plan, nullptr);
  else
    runQuietly();
  beginRecord(plan);
  beginRun(plan.firstSeed, plan);
  beginSpinWatch();
  enterProgram(freshMainContext());
  leaveAsProgram(state.result);
}

} // namespace

void* freshMainContext() {
  return makeContext(reinterpret_cast<void*>(arguments.stackTop), mainEntry);
}

void readyPoint() {
  if (!scheduler.controlled || !persistent().batch || atReadyPoint || persistent().strategy)
    return;
  atReadyPoint = true;
  leaveToServer();
}

/// Whether the controller wants to know the threads of a run that went well: who met, and who is
/// who in a recording. A failure or an unexpected exit has described them where it happened.
static bool wantsThreads(const Plan& plan, const RunResult& result) {
  uint32_t describing =
      kPlanLearn | kPlanUnits | (result.meetings != 0 ? kPlanStopAtMeeting | kPlanStacks : 0u);
  return result.outcome == Outcome::Finished && result.exitStatus == plan.expectedExit &&
         (plan.flags & describing);
}

void endRun(Outcome outcome, int exitStatus) {
  Persistent& state = persistent();
  RunCounters counters = runCounters();
  RunResult& result = state.result;
  result.outcome = outcome;
  result.exitStatus = exitStatus;
  result.steps = counters.steps;
  result.choices =
      counters.choices < UINT32_MAX ? static_cast<uint32_t>(counters.choices) : UINT32_MAX;
  result.digest = counters.digest;
  result.threads = counters.threads;
  result.peakThreads = counters.peakThreads;
  result.preemptions = counters.preemptions;
  result.switches = counters.switches;
  if (DirectedStrategy* directed = state.strategy ? state.strategy->directed() : nullptr) {
    result.thrashings = directed->thrashings();
    result.meetings += directed->sightings();
  }
  if (state.batch && wantsThreads(state.batch->plan, result))
    describeThreads();
  endRecord(result.outcome);
  noteStreams();
  result.events = recordedEvents();
  if (state.strategy)
    state.strategy->endRun(counters.steps);
  const char* divergence = state.strategy ? state.strategy->divergence() : nullptr;
  if (divergence && state.batch) {
    result.outcome = Outcome::Diverged;
    strncpy(state.batch->detail.message, divergence, kMessageBytes - 1);
  }
  if (!state.serverStack)
    leaveAsProgram(result); // the run ended before main
  writeFsBase(state.serverFsBase);
  void* discarded;
  heddleSwitch(&discarded, state.serverStack);
  __builtin_unreachable();
}

void serve(ProgramMain program, int argc, char** argv, char** envp) {
  programMain = program;
  bool startsReady = __start_heddle_ready_mark || findVariable(envp, kStartsReadyVariable);
  arguments = copyArguments(argc, argv, envp);
  readModules();
  readModuleFini();
  findDispatchedCode();
  if (persistent().batch) // as on a terminal: a run that fails has shown what it printed
    setvbuf(stdout, nullptr, _IOLBF, 0);
  if (BatchHeader* batch = persistent().batch) {
    if (startsReady)
      runToReadyPoint(*batch);
    serveBatches(*batch);
  }
  runAlone();
}

} // namespace heddle::rt

/// HEDDLE_READY() of heddle.h.
HEDDLE_INTERPOSE void heddle_ready() { heddle::rt::readyPoint(); }
