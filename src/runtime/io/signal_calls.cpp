#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/base/restorable.h"
#include "runtime/core/cancellation.h"
#include "runtime/core/end_of_run.h"
#include "runtime/io/io_wait.h"
#include "runtime/signals/signal_actions.h"
#include "runtime/signals/signal_model.h"
#include "runtime/signals/signal_queue.h"
#include "runtime/time/timeout.h"
#include "runtime/time/virtual_time.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The program's calls about signals; see signal_model.h.

using namespace heddle;
using namespace heddle::rt;

namespace {

bool isSignal(int signal) { return signal >= 0 && signal < kSignals; }

/// 0 or an error number.
int changeMask(int how, const sigset_t* set, sigset_t* old) {
  Fiber* fiber = self();
  uint64_t before = fiber->signalMask;
  if (set) {
    uint64_t bits = maskBits(set);
    if (how == SIG_BLOCK)
      setSignalMask(before | bits);
    else if (how == SIG_UNBLOCK)
      setSignalMask(before & ~bits);
    else if (how == SIG_SETMASK)
      setSignalMask(bits);
    else
      return EINVAL;
  }
  if (old) {
    memset(old, 0, sizeof *old);
    memcpy(old, &before, sizeof before);
  }
  return 0;
}

int killProcess(pid_t pid, int signal, const siginfo_t& info) {
  bool own = pid == getpid() || pid == 0 || pid == -getpgrp();
  if (pid == -1)
    loseControl("the program sends a signal to every process");
  if (!own) {
    noteNotRestorable("kill");
    return real::kill(pid, signal);
  }
  point(EventKind::Io, nullptr);
  if (signal != 0)
    raiseForProcess(signal, info);
  Fiber* fiber = self();
  if (fiber->pendingSignals & ~fiber->signalMask)
    point(EventKind::Io, nullptr); // the handler has run before kill returns
  return 0;
}

/// 0 or an error number.
int killThread(pthread_t thread, int signal, const siginfo_t& info) {
  Fiber* fiber = fiberOf(thread);
  point(EventKind::Io, fiber);
  fiber = fiberOf(thread);
  if (!fiber)
    return ESRCH;
  if (signal != 0 && !fiber->finished)
    raiseForThread(fiber, signal, info);
  return 0;
}

/// Until a handler has run; always EINTR.
int suspend(const sigset_t* mask) {
  point(EventKind::Io, nullptr);
  cancellationPoint();
  Fiber* fiber = self();
  uint32_t before = handlerCalls(fiber).all;
  {
    MaskScope scope(mask);
    while (handlerCalls(fiber).all == before) {
      IoWait wait;
      wait.restarts = false;
      waitForIo(wait, kNoDeadline);
    }
  }
  return refuse(EINTR);
}

/// Returns the signal, or a negative errno (EAGAIN at the deadline, EINTR).
int waitForSignal(uint64_t set, siginfo_t* info, uint64_t deadline) {
  Fiber* fiber = self();
  for (uint64_t bits = set; bits != 0; bits &= bits - 1)
    catchForReal(__builtin_ctzll(bits) + 1);
  for (;;) {
    takeArrivedSignals();
    siginfo_t taken;
    if (takeSignal(fiber, set, taken)) {
      if (info)
        *info = taken;
      return taken.si_signo;
    }
    if (deadline <= now())
      return -EAGAIN;
    IoWait wait;
    wait.restarts = false;
    awaitSignals(set);
    IoOutcome outcome = waitForIo(wait, deadline);
    awaitSignals(0);
    if (outcome == IoOutcome::Interrupted)
      return -EINTR;
  }
}

int timedWait(const sigset_t* set, siginfo_t* info, const timespec* time) {
  if (time && (!validTime(*time) || time->tv_sec < 0))
    return refuse(EINVAL);
  point(EventKind::Io, nullptr);
  cancellationPoint();
  uint64_t deadline = time ? deadlineAfter(nanosecondsOf(*time)) : kNoDeadline;
  int signal = waitForSignal(maskBits(set), info, deadline);
  return signal > 0 ? signal : refuse(-signal);
}

siginfo_t queuedInfo(int signal, sigval value) {
  siginfo_t info = makeInfo(signal, SI_QUEUE);
  info.si_value = value;
  return info;
}

} // namespace

HEDDLE_INTERPOSE int sigprocmask(int how, const sigset_t* set, sigset_t* old) {
  if (!controlled())
    return real::sigprocmask(how, set, old);
  int error = changeMask(how, set, old);
  return error == 0 ? 0 : refuse(error);
}

HEDDLE_INTERPOSE int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) {
  if (!controlled())
    return real::pthread_sigmask(how, set, old);
  return changeMask(how, set, old);
}

HEDDLE_INTERPOSE int sigpending(sigset_t* set) {
  if (!controlled())
    return real::sigpending(set);
  takeArrivedSignals();
  uint64_t bits = pendingFor(self()) & self()->signalMask;
  memset(set, 0, sizeof *set);
  memcpy(set, &bits, sizeof bits);
  return 0;
}

HEDDLE_INTERPOSE int sigsuspend(const sigset_t* mask) {
  return controlled() ? suspend(mask) : real::sigsuspend(mask);
}

HEDDLE_INTERPOSE int pause() { return controlled() ? suspend(nullptr) : real::pause(); }

HEDDLE_INTERPOSE int sigwait(const sigset_t* set, int* signal) {
  if (!controlled())
    return real::sigwait(set, signal);
  int got;
  do
    got = timedWait(set, nullptr, nullptr);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    return errno;
  *signal = got;
  return 0;
}

HEDDLE_INTERPOSE int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  return controlled() ? timedWait(set, info, nullptr) : real::sigwaitinfo(set, info);
}

HEDDLE_INTERPOSE int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* time) {
  return controlled() ? timedWait(set, info, time) : real::sigtimedwait(set, info, time);
}

HEDDLE_INTERPOSE int raise(int signal) {
  if (!controlled())
    return real::raise(signal);
  if (!isSignal(signal))
    return refuse(EINVAL);
  point(EventKind::Io, self());
  if (signal != 0)
    raiseForThread(self(), signal, makeInfo(signal, SI_TKILL));
  return 0;
}

HEDDLE_INTERPOSE int gsignal(int signal) { return raise(signal); }

HEDDLE_INTERPOSE int kill(pid_t pid, int signal) {
  if (!controlled())
    return real::kill(pid, signal);
  if (!isSignal(signal))
    return refuse(EINVAL);
  return killProcess(pid, signal, makeInfo(signal, SI_USER));
}

HEDDLE_INTERPOSE int killpg(pid_t group, int signal) { return kill(group ? -group : 0, signal); }

HEDDLE_INTERPOSE int sigqueue(pid_t pid, int signal, const union sigval value) {
  if (!controlled() || pid != getpid())
    return real::sigqueue(pid, signal, value);
  if (!isSignal(signal))
    return refuse(EINVAL);
  return killProcess(pid, signal, queuedInfo(signal, value));
}

HEDDLE_INTERPOSE int pthread_kill(pthread_t thread, int signal) {
  if (!controlled())
    return real::pthread_kill(thread, signal);
  if (!isSignal(signal))
    return EINVAL;
  return killThread(thread, signal, makeInfo(signal, SI_TKILL));
}

HEDDLE_INTERPOSE int pthread_sigqueue(pthread_t thread, int signal, const union sigval value) {
  if (!controlled())
    return real::pthread_sigqueue(thread, signal, value);
  if (!isSignal(signal))
    return EINVAL;
  return killThread(thread, signal, queuedInfo(signal, value));
}

/// Handlers run on the thread's own stack; the real alternate stack is the runtime's, for faults.
HEDDLE_INTERPOSE int sigaltstack(const stack_t* stack, stack_t* old) {
  // Sanitizers ask before any constructor has run, when there are no real functions yet.
  if (!controlled()) {
    long result = rawSyscall(SYS_sigaltstack, asLong(stack), asLong(old));
    if (result < 0)
      errno = static_cast<int>(-result);
    return result < 0 ? -1 : 0;
  }
  static stack_t stacks[64]; // of the first threads; the others always see none
  uint32_t index = raw(self()->index());
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  stack_t& current = index < 64 ? stacks[index] : none;
  if (old) {
    *old = current;
    if (!current.ss_sp)
      old->ss_flags = SS_DISABLE;
  }
  if (!stack)
    return 0;
  if (!(stack->ss_flags & SS_DISABLE) && stack->ss_size < static_cast<size_t>(MINSIGSTKSZ))
    return refuse(ENOMEM);
  current = *stack;
  if (stack->ss_flags & SS_DISABLE)
    current = none;
  return 0;
}
