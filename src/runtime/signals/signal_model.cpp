#include "runtime/signals/signal_model.h"

#include "runtime/base/arena.h"
#include "runtime/base/message.h"
#include "runtime/base/persistent.h"
#include "runtime/base/real.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler_entry.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/signals/signal_actions.h"
#include "runtime/signals/signal_queue.h"

#include <errno.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

namespace heddle::rt {

void startSignalModel();

namespace {

HEDDLE_LARGE HandlerCalls calls[kMaxThreads];
HEDDLE_LARGE uint64_t awaited[kMaxThreads]; ///< what a fiber in sigwait waits for

// From outside, written by the catcher at any moment.
volatile uint64_t arrived = 0;
HEDDLE_LARGE siginfo_t arrivedInfo[kSignals];

bool isBlockedBy(const Fiber* fiber, int signal) { return fiber->signalMask & signalBit(signal); }

/// A fiber that waits in a model tries again after a wake-up without a cause.
bool canBeWoken(const Fiber* fiber) {
  return fiber->state == ThreadState::Blocked && fiber->waitKind != WaitKind::Library;
}

void remind(Fiber* fiber, int signal) {
  fiber->pendingSignals |= signalBit(signal);
  if (canBeWoken(fiber))
    wakeFiber(fiber, WakeReason::Spurious);
}

bool wakeSigwait(int signal, const Fiber* only) {
  for (uint32_t i = 0; i < threadCount(); ++i) {
    Fiber* fiber = scheduler.fibers[i];
    if ((only && fiber != only) || fiber->finished || !(awaited[i] & signalBit(signal)))
      continue;
    wakeFiber(fiber, WakeReason::Spurious);
    return true;
  }
  return false;
}

/// The kernel asks the main thread first, then the others.
Fiber* takerOf(int signal) {
  Fiber* best = nullptr;
  for (uint32_t i = 0; i < threadCount(); ++i) {
    Fiber* fiber = scheduler.fibers[i];
    if (fiber->finished || isBlockedBy(fiber, signal))
      continue;
    if (fiber->state == ThreadState::Runnable || canBeWoken(fiber))
      return fiber;
    if (!best)
      best = fiber;
  }
  return best;
}

void distribute() {
  for (PendingSignal* p = firstForProcess(); p;) {
    PendingSignal* next = nextForProcess(p);
    Fiber* taker = takerOf(p->signal);
    if (wakeSigwait(p->signal, nullptr))
      ;
    else if (taker)
      remind(taker, p->signal);
    else if (writeToSignalDescriptor(p->signal, p->info))
      dropSignal(p);
    p = next;
  }
}

[[noreturn]] void die(int signal) {
  const char* name = sigabbrev_np(signal);
  const char* message =
      name ? formatMessage("killed by SIG%s", name) : formatMessage("killed by signal %d", signal);
  failRun(FailureKind::Crash, message, nullptr, signal);
}

void runHandler(Fiber* fiber, int signal, siginfo_t* info, void* context) {
  Action action = actionOf(signal);
  ++calls[raw(fiber->index())].all;
  if (!(action.flags & SA_RESTART))
    ++calls[raw(fiber->index())].interrupting;
  uint64_t saved = fiber->signalMask;
  fiber->signalMask |= action.mask;
  if (!(action.flags & SA_NODEFER))
    fiber->signalMask |= signalBit(signal);
  if (action.flags & SA_RESETHAND)
    resetAction(signal);
  reinterpret_cast<void (*)(int, siginfo_t*, void*)>(action.handler)(signal, info, context);
  fiber->signalMask = saved;
}

void handle(Fiber* fiber, siginfo_t& info) {
  int signal = info.si_signo;
  switch (dispositionOf(signal)) {
  case Disposition::Ignore:
    return;
  case Disposition::Die:
    die(signal);
  case Disposition::Handler:
    break;
  }
  ucontext_t context{};
  memcpy(&context.uc_sigmask, &fiber->signalMask, sizeof fiber->signalMask);
  runHandler(fiber, signal, &info, &context);
}

/// The scheduler calls this on a fiber that has unblocked pending signals.
void deliver(Fiber* fiber) {
  takeArrivedSignals();
  siginfo_t info;
  while (fiber->pendingSignals & ~fiber->signalMask) {
    uint64_t ready = fiber->pendingSignals & ~fiber->signalMask;
    if (takeSignal(fiber, ready, info))
      handle(fiber, info);
    else
      fiber->pendingSignals &= ~ready;
  }
}

bool diesOf(int signal) { return dispositionOf(signal) == Disposition::Die; }

/// Runs between any two instructions: only writes words that deliver() and pollIo() look at.
void catchSignal(int signal, siginfo_t* info, void*) {
  if (!scheduler.controlled || expectsPipeSignal())
    return;
  arrivedInfo[signal] = *info;
  __atomic_fetch_or(&arrived, signalBit(signal), __ATOMIC_RELAXED);
  Fiber* fiber = scheduler.current;
  if (isBlockedBy(fiber, signal))
    fiber = takerOf(signal);
  if (fiber)
    __atomic_fetch_or(&fiber->pendingSignals, signalBit(signal), __ATOMIC_RELAXED);
}

} // namespace

void startSignalModel() {
  setCatcher(catchSignal);
  setSignalDelivery(deliver);
  catchForReal(SIGPIPE);
}

HandlerCalls handlerCalls(const Fiber* fiber) { return calls[raw(fiber->index())]; }

bool programHandles(int signal) {
  return signal > 0 && signal < kSignals && dispositionOf(signal) == Disposition::Handler;
}

void callProgramHandler(int signal, siginfo_t* info, void* context) {
  if (programHandles(signal))
    runHandler(self(), signal, info, context);
}

siginfo_t makeInfo(int signal, int code) {
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = code;
  info.si_pid = getpid();
  info.si_uid = getuid();
  return info;
}

void raiseForThread(Fiber* fiber, int signal, const siginfo_t& info) {
  if (dispositionOf(signal) == Disposition::Ignore && !isBlockedBy(fiber, signal))
    return;
  if (diesOf(signal) && !isBlockedBy(fiber, signal))
    die(signal);
  queueSignal(signal, fiber, info);
  if (!wakeSigwait(signal, fiber) && !isBlockedBy(fiber, signal))
    remind(fiber, signal);
  if (fiber == self())
    deliver(fiber);
}

void raiseForProcess(int signal, const siginfo_t& info) {
  if (takerOf(signal)) {
    if (dispositionOf(signal) == Disposition::Ignore)
      return;
    if (diesOf(signal))
      die(signal);
  }
  queueSignal(signal, nullptr, info);
  distribute();
}

void raiseForSelf(int signal) { raiseForThread(self(), signal, makeInfo(signal, SI_KERNEL)); }

bool takeArrivedSignals() {
  uint64_t bits = __atomic_exchange_n(&arrived, 0, __ATOMIC_RELAXED);
  if (bits == 0)
    return false;
  persistent().result.flags |= kResultEnvironment;
  for (; bits != 0; bits &= bits - 1) {
    int signal = __builtin_ctzll(bits) + 1;
    raiseForProcess(signal, arrivedInfo[signal]);
  }
  return true;
}

void setSignalMask(uint64_t mask) {
  Fiber* fiber = self();
  constexpr uint64_t unblockable = signalBit(SIGKILL) | signalBit(SIGSTOP) | signalBit(32) |
                                   signalBit(33) | signalBit(kWatchdogSignal);
  fiber->signalMask = mask & ~unblockable;
  distribute();
  fiber->pendingSignals = pendingFor(fiber);
  if (fiber->pendingSignals & ~fiber->signalMask)
    deliver(fiber);
}

MaskScope::MaskScope(const sigset_t* mask) : saved_(self()->signalMask), active_(mask != nullptr) {
  if (active_)
    setSignalMask(maskBits(mask));
}

MaskScope::~MaskScope() {
  if (active_)
    setSignalMask(saved_);
}

void awaitSignals(uint64_t set) { awaited[raw(self()->index())] = set; }

} // namespace heddle::rt
