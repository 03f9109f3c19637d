#include "runtime/unseen/unseen_spin.h"

#include "runtime/base/arena.h"
#include "runtime/base/code_places.h"
#include "runtime/base/message.h"
#include "runtime/base/persistent.h"
#include "runtime/base/process_maps.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/real_time.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/time/virtual_timer.h"
#include "runtime/trace/sites.h"
#include "runtime/unseen/dispatched_calls.h"
#include "runtime/unseen/interrupted_thread.h"
#include "runtime/unseen/known_loops.h"
#include "runtime/unseen/loop_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <new>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

namespace heddle::rt {

namespace {

constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kTick = 10 * kMillisecond; ///< of CPU time
/// Until the next look at a program that spins, doubled with every look that finds nothing until
/// the slow timer is as fast. Of real time, because timers of CPU time are as coarse as the
/// kernel's clock.
constexpr uint64_t kFastTick = kMillisecond / 10;
/// How long a thread that does not repeat itself may run without a step.
constexpr uint64_t kComputingPatience = 1000 * kMillisecond;
constexpr uint64_t kWaitingPatience = 400 * kMillisecond; ///< where it looks like waiting
constexpr uint64_t kQuietPatience = 50 * kMillisecond;    ///< without a controller
constexpr uint32_t kPatientBreaks = 8; ///< in a row; from then on it may run longer and longer
constexpr uint32_t kMaxDoublings = 6;
/// A look costs at most this, or a 25th of the time without a step.
constexpr uint64_t kShortLook = 2 * kMillisecond;
constexpr uint64_t kLookShare = 25;
constexpr uint64_t kLeavingSteps = 64;
/// How many turns all threads get of which one counts, before that counts as going nowhere.
constexpr uint64_t kCountedRounds = 200;
constexpr greg_t kTrapFlag = 0x100;

enum class Stage : uint8_t {
  Idle,
  Looking,  ///< for a repetition
  Reaching, ///< the place to give way at
  Leaving,  ///< it is its turn again: does it leave the loop?
};

/// Run state.
struct SpinWatch {
  bool armed = false;    ///< this process has its timer
  bool watching = false; ///< a run executes
  bool traced = false;   ///< by a debugger, which would take the steps for its own
  int slowTimer = -1;
  int fastTimer = -1;
  uint64_t fastTick = kTick;
  Stage stage = Stage::Idle;
  bool inRuntime = false; ///< at the last look
  LoopProof proof = LoopProof::None;
  uint64_t seenSteps = 0;
  uint64_t silentSince = 0; ///< CPU time
  uint64_t nextLook = 0;    ///< time without a step after which it takes place
  uint64_t lookEnds = 0;
  uint64_t stepsLeft = 0; ///< while Reaching and Leaving
  LoopPlace wanted;       ///< hash 0: any state at that instruction; rip 0: anywhere
  KnownLoop left{};       ///< the loop that the thread gave way in
  // Threads that prove to do nothing else, one after the other.
  uint64_t sameSince = 0; ///< step
  uint64_t lastBreak = 0;
  uint32_t waitsForOthers = 0;
  bool someCount = false; ///< and one of them counts: another may look at that
};
SpinWatch watch;

uint64_t cpuNanos() { return clockNanos(CLOCK_THREAD_CPUTIME_ID); }

size_t copyMemory(uint64_t address, void* to, size_t bytes) {
  constexpr uint64_t page = 4096;
  iovec local{to, bytes};
  iovec remote{reinterpret_cast<void*>(address), bytes};
  long pid = rawSyscall(SYS_getpid);
  long got = rawSyscall(SYS_process_vm_readv, pid, asLong(&local), 1, asLong(&remote), 1, 0);
  uint64_t onPage = page - address % page;
  if (got <= 0 && onPage < bytes) {
    local.iov_len = remote.iov_len = onPage;
    got = rawSyscall(SYS_process_vm_readv, pid, asLong(&local), 1, asLong(&remote), 1, 0);
  }
  return got > 0 ? static_cast<size_t>(got) : 0;
}

uint64_t soughtAddress = 0;
MappedRange foundRange;

/// The mapping of the address, read-only and private if there is none.
const MappedRange& mappingOf(uint64_t address) {
  soughtAddress = address;
  foundRange = {};
  foundRange.isPrivate = true;
  forEachMapping([](const MappedRange& range) {
    if (soughtAddress < range.begin || soughtAddress >= range.end)
      return true;
    foundRange = range;
    return false;
  });
  return foundRange;
}

bool isWritable(uint64_t address) { return mappingOf(address).writable; }

constexpr MemoryView kMemory{copyMemory, isWritable};
alignas(LoopWatch) HEDDLE_LARGE unsigned char loopMemory[sizeof(LoopWatch)];
LoopWatch& loop = *reinterpret_cast<LoopWatch*>(loopMemory);

bool othersCouldRun() {
  return scheduler.enabledCount > 1 || scheduler.timedWaiters != 0 ||
         scheduler.waiting[static_cast<uint32_t>(WaitKind::Io)] != 0 || nextTimer() != kNoDeadline;
}

void setTimer(int timer, uint64_t nanos, bool repeats) {
  timespec time{static_cast<time_t>(nanos / 1'000'000'000),
                static_cast<long>(nanos % 1'000'000'000)};
  itimerspec setting{repeats ? time : timespec{}, time};
  if (timer >= 0)
    rawSyscall(SYS_timer_settime, timer, 0, asLong(&setting), 0);
}

/// Negative if the system gives none: then nothing is watched.
int makeTimer(clockid_t clock) {
  struct { // as the kernel has it
    uint64_t value;
    int signal;
    int notify;
    int thread;
    char rest[44];
  } event{};
  event.signal = kSpinSignal;
  event.notify = SIGEV_THREAD_ID;
  event.thread = static_cast<int>(rawSyscall(SYS_gettid));
  int timer = -1;
  return rawSyscall(SYS_timer_create, clock, asLong(&event), asLong(&timer)) == 0 ? timer : -1;
}

void lookSoon() {
  watch.fastTick = kFastTick;
  setTimer(watch.fastTimer, kFastTick, false);
}

void lookLater() {
  if (watch.fastTick >= kTick)
    return;
  watch.fastTick *= 2;
  setTimer(watch.fastTimer, watch.fastTick, false);
}

void restartSilence(uint64_t cpu) {
  watch.seenSteps = scheduler.steps;
  watch.silentSince = cpu;
  watch.nextLook = 0;
}

/// Whether there was a step since the last tick.
bool madeProgress(uint64_t cpu) {
  bool progress = scheduler.steps != watch.seenSteps;
  if (progress)
    restartSilence(cpu);
  return progress;
}

uint64_t patience() {
  uint64_t first = scheduler.quiet           ? kQuietPatience
                   : loop.looksLikeWaiting() ? kWaitingPatience
                                             : kComputingPatience;
  uint32_t breaks = scheduler.quiet ? 0 : scheduler.current->unseenBreaks;
  uint32_t doublings = breaks < kPatientBreaks ? 0 : breaks - kPatientBreaks + 1;
  return first << (doublings < kMaxDoublings ? doublings : kMaxDoublings);
}

void stopStepping(ucontext_t* context) {
  watch.stage = Stage::Idle;
  context->uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
}

void onTick(int, siginfo_t* info, void* context);

/// Whether all threads that can run have shown since `sameSince` that they do nothing else.
bool allSpin() {
  bool all = true;
  for (uint32_t i = 0; i < scheduler.threads; ++i) {
    const Fiber* fiber = scheduler.fibers[i];
    bool enabled = scheduler.enabled[i / 64] >> (i % 64) & 1;
    all &= !enabled || fiber->spinProvenAt >= watch.sameSince;
  }
  return all;
}

const char* placeText(const char* what) {
  uint64_t rip = watch.wanted.rip ? watch.wanted.rip : loop.loopLow();
  CodePlace place = codePlaceOf(rip);
  return formatMessage("thread T%u spins in code that heddle does not see (%s+0x%lx)%s",
                       raw(scheduler.current->index()), place.module,
                       static_cast<unsigned long>(place.offset), what);
}

/// The same place in the same state as when it last gave way, and nothing else has happened.
void noteProof() {
  Fiber* fiber = scheduler.current;
  uint64_t key = watch.wanted.rip ^ loop.stateHash();
  if (fiber->spinKey != key || scheduler.steps != watch.lastBreak) {
    watch.sameSince = scheduler.steps + 1;
    watch.someCount = false;
  }
  watch.someCount |= watch.proof == LoopProof::Counts;
  fiber->spinKey = key;
  fiber->spinProvenAt = scheduler.steps + 1;
}

bool touchesSharedMapping() {
  return loop.anyTouched([](uint64_t address) { return !mappingOf(address).isPrivate; });
}

/// Only another process can change what all wait for. It gets real time, but not for ever.
void awaitOtherProcess() {
  constexpr uint32_t mostWaits = 10000;
  if (++watch.waitsForOthers > mostWaits)
    loseControl(placeText(" for what only another process could change"));
  timespec pause{0, static_cast<long>(kMillisecond)};
  rawSyscall(SYS_nanosleep, asLong(&pause), 0);
}

/// Everybody repeats himself, and neither time nor input would change anything.
void failIfAllSpin() {
  bool alone = scheduler.timedWaiters == 0 && nextTimer() == kNoDeadline &&
               scheduler.waiting[static_cast<uint32_t>(WaitKind::Io)] == 0;
  uint64_t rounds = watch.someCount ? kCountedRounds : 2;
  if (!alone || !allSpin() || scheduler.steps < watch.sameSince + rounds * scheduler.enabledCount)
    return;
  if (watch.someCount)
    loseControl(placeText(" and counts, and every other thread that could run spins, too"));
  if (touchesSharedMapping())
    return awaitOtherProcess();
  failRun(FailureKind::Hang, placeText(", and every other thread that could run spins, too"));
}

void seeItLeave(ucontext_t* context, const KnownLoop& broken) {
  watch.stage = Stage::Leaving;
  watch.left = broken;
  watch.stepsLeft = kLeavingSteps;
  context->uc_mcontext.gregs[REG_EFL] |= kTrapFlag;
}

/// On the stack of the thread, where it was interrupted.
void onBreak(int, siginfo_t* info, void* place) {
  if (info->si_code == SI_TIMER)
    return;
  installHandler(kSpinSignal, onTick, SA_ONSTACK | SA_RESTART, 1ull << (kSpinSignal - 1));
  int error = errno;
  KnownLoop broken{loop.loopLow(), loop.loopHigh()};
  bool mayWait = scheduler.quiet || loop.looksLikeWaiting();
  if (watch.proof != LoopProof::None) {
    learnLoop(broken);
    noteProof();
    if (!scheduler.quiet) // the plain program would not end, either
      failIfAllSpin();
  } else {
    ++scheduler.current->unseenBreaks;
    watch.sameSince = scheduler.steps + 1;
  }
  watch.lastBreak = scheduler.steps + 1;
  lookSoon();
  breakUnseenSpin();
  restartSilence(cpuNanos());
  if (mayWait && broken.low != 0 && !isKnownLoop(broken.low))
    seeItLeave(static_cast<ucontext_t*>(place), broken);
  errno = error;
}

/// The thread gives way as soon as the handler that runs has returned.
void requestBreak() {
  installHandler(kSpinSignal, onBreak, SA_RESTART | SA_NODEFER, 0);
  rawSyscall(SYS_tgkill, rawSyscall(SYS_getpid), rawSyscall(SYS_gettid), kSpinSignal);
}

void beginLook(ucontext_t* context, uint64_t cpu) {
  uint64_t share = (cpu - watch.silentSince) / kLookShare;
  watch.stage = Stage::Looking;
  watch.lookEnds = cpu + (share > kShortLook ? share : kShortLook);
  watch.inRuntime = false;
  loop.begin();
  context->uc_mcontext.gregs[REG_EFL] |= kTrapFlag;
}

/// Without proof; replay knows whether it did so in the recorded run.
bool mayGiveWay() {
  SiteIdentity site = identityOf(pseudoSite(EventKind::Spin));
  return !scheduler.replaying || scheduler.strategy->expects(scheduler.current->view, site);
}

void onTick(int, siginfo_t*, void* place) {
  auto* context = static_cast<ucontext_t*>(place);
  if (!watch.watching || !scheduler.controlled || watch.stage != Stage::Idle)
    return;
  lookLater();
  uint64_t cpu = cpuNanos();
  if (madeProgress(cpu) || !othersCouldRun())
    return;
  bool known = isKnownLoop(ripOf(context));
  bool unasked = known && scheduler.quiet; // nobody will ask where it was
  if (watch.traced)
    unasked = cpu - watch.silentSince >= kQuietPatience && mayGiveWay();
  if (unasked && isBreakable(context)) {
    watch.proof = LoopProof::None;
    return requestBreak();
  }
  if (watch.traced)
    return;
  if (known || cpu - watch.silentSince >= watch.nextLook + kTick / 2)
    beginLook(context, cpu);
}

void reach(const LoopPlace& place, LoopProof proof) {
  watch.stage = Stage::Reaching;
  watch.wanted = place;
  watch.proof = proof;
  watch.stepsLeft = 2 * loop.steps() + 64;
}

/// The time for a look is over, and nothing was proven.
void conclude(ucontext_t* context, uint64_t cpu) {
  uint64_t silence = cpu - watch.silentSince;
  bool known = isKnownLoop(loop.loopLow());
  if ((known || silence >= patience()) && mayGiveWay())
    return reach({loop.loopLow(), 0}, LoopProof::None);
  uint64_t limit = patience();
  watch.nextLook = silence * 4 < limit || silence >= limit ? silence * 4 : limit;
  stopStepping(context);
}

bool isHook(uintptr_t rip) {
  void (*const hooks[])() = {
      reinterpret_cast<void (*)()>(__heddle_access), reinterpret_cast<void (*)()>(__heddle_atomic),
      reinterpret_cast<void (*)()>(__heddle_range), reinterpret_cast<void (*)()>(__heddle_call)};
  for (auto* hook : hooks)
    if (rip == reinterpret_cast<uintptr_t>(hook))
      return true;
  return false;
}

/// Hooks change nothing of the program; other functions of the runtime may.
LoopProof lookAt(const MachineState& state) {
  bool inRuntime = isRuntimeCode(state.registers.rip);
  bool entered = inRuntime && !watch.inRuntime;
  watch.inRuntime = inRuntime;
  if (!inRuntime)
    return loop.step(state);
  if (entered && !isHook(state.registers.rip))
    loop.meetUnknown();
  return LoopProof::None;
}

void look(ucontext_t* context, const MachineState& state) {
  uint64_t cpu = cpuNanos();
  LoopProof proof = lookAt(state);
  if (proof != LoopProof::None) {
    if (loop.turn().rip == 0) { // nothing of it is the program's
      watch.nextLook = (cpu - watch.silentSince) * 4;
      return stopStepping(context);
    }
    return reach(loop.turn(), proof);
  }
  if (cpu > watch.lookEnds || (isKnownLoop(loop.loopLow()) && loop.steps() > 64))
    conclude(context, cpu);
}

bool isThere(const MachineState& state) {
  if (!state.breakable)
    return false;
  if (watch.wanted.hash != 0)
    return placeOf(state.registers) == watch.wanted;
  return watch.wanted.rip == 0 || watch.wanted.rip == state.registers.rip;
}

void walk(ucontext_t* context, const MachineState& state) {
  if (isThere(state)) {
    stopStepping(context);
    return requestBreak();
  }
  if (--watch.stepsLeft != 0)
    return;
  if (watch.wanted.rip == 0 || watch.proof != LoopProof::None)
    return stopStepping(context); // looked at again with the next tick
  reach({}, LoopProof::None);
}

/// What the thread waited for has happened if it leaves the loop at once, now that others have run.
void leave(ucontext_t* context, const MachineState& state, bool step) {
  uint64_t rip = state.registers.rip;
  bool outside = state.breakable && (rip < watch.left.low || rip > watch.left.high);
  if (outside || step) {
    learnLoop(watch.left);
    scheduler.current->unseenBreaks = 0;
  }
  if (outside || step || --watch.stepsLeft == 0)
    stopStepping(context);
}

bool isTraced() {
  char text[2048];
  long file = rawSyscall(SYS_open, asLong("/proc/self/status"), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  long got = rawSyscall(SYS_read, file, asLong(text), sizeof text - 1);
  rawSyscall(SYS_close, file);
  text[got > 0 ? got : 0] = 0;
  const char* tracer = strstr(text, "TracerPid:\t");
  return tracer && tracer[11] != '0';
}

/// Once: children of a fork know it.
void learnProcess() {
  static bool known = false;
  if (known)
    return;
  known = true;
  readCodePlaces();
  watch.traced = isTraced();
}

} // namespace

void stepUnseenSpin(ucontext_t* context) {
  bool step = scheduler.steps != watch.seenSteps;
  bool over = !watch.watching || !scheduler.controlled || (step && watch.stage != Stage::Leaving);
  if (watch.stage == Stage::Idle || over)
    return stopStepping(context);
  MachineState state = stateOf(context);
  if (watch.stage == Stage::Looking)
    look(context, state);
  if (watch.stage == Stage::Reaching)
    walk(context, state);
  else if (watch.stage == Stage::Leaving)
    leave(context, state, step);
}

void unblockSpinSignal() {
  uint64_t mask = 1ull << (kSpinSignal - 1);
  rawSyscall(SYS_rt_sigprocmask, SIG_UNBLOCK, asLong(&mask), 0, sizeof mask);
}

void watchUnseenSpins() {
  if (watch.armed)
    return;
  watch.armed = true;
  learnProcess();
  new (loopMemory) LoopWatch(kMemory);
  installHandler(kSpinSignal, onTick, SA_ONSTACK | SA_RESTART, 1ull << (kSpinSignal - 1));
  unblockSpinSignal();
  watch.slowTimer = makeTimer(CLOCK_THREAD_CPUTIME_ID);
  watch.fastTimer = makeTimer(CLOCK_MONOTONIC);
  setTimer(watch.slowTimer, kTick, true);
  dispatchCalls();
}

void forgetSpinTimer() {
  watch.armed = false;
  watch.slowTimer = watch.fastTimer = -1;
  if (scheduler.threads > 1)
    watchUnseenSpins();
}

void beginSpinWatch() {
  watch.stage = Stage::Idle;
  watch.watching = true;
  restartSilence(cpuNanos());
  if (persistent().knownLoopCount != 0)
    lookSoon();
}

void endSpinWatch() { watch.watching = false; }

} // namespace heddle::rt
