#include "runtime/signals/signal_actions.h"

#include "model/batch.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/core/scheduler.h"
#include "runtime/signals/signal_queue.h"

#include <errno.h>
#include <string.h>

namespace heddle::rt {

namespace {

Action actions[kSignals];
uint64_t caught = 0; ///< signals whose real handler is ours
void (*catcher)(int, siginfo_t*, void*) = nullptr;
volatile bool pipeSignalExpected = false;

constexpr uint64_t kFaults = signalBit(SIGSEGV) | signalBit(SIGBUS) | signalBit(SIGFPE) |
                             signalBit(SIGILL) | signalBit(SIGABRT) | signalBit(SIGTRAP) |
                             signalBit(SIGSYS);
constexpr uint64_t kReserved = signalBit(SIGKILL) | signalBit(SIGSTOP) | signalBit(32) |
                               signalBit(33) | signalBit(kWatchdogSignal);
/// Stopping would stop the whole tool.
constexpr uint64_t kIgnoredByDefault =
    signalBit(SIGCHLD) | signalBit(SIGURG) | signalBit(SIGWINCH) | signalBit(SIGCONT) |
    signalBit(SIGSTOP) | signalBit(SIGTSTP) | signalBit(SIGTTIN) | signalBit(SIGTTOU);

void setReal(int signal, void* handler, int flags) {
  struct sigaction action{};
  action.sa_sigaction = reinterpret_cast<void (*)(int, siginfo_t*, void*)>(handler);
  action.sa_flags = flags;
  real::sigaction(signal, &action, nullptr);
}

bool isSpecial(void* handler) {
  return handler == reinterpret_cast<void*>(SIG_DFL) || handler == reinterpret_cast<void*>(SIG_IGN);
}

/// SIGPIPE keeps our handler for good: the models write to pipes on the program's behalf.
void followReally(int signal, const Action& action) {
  if (signal == SIGPIPE || ((kFaults | kReserved) & signalBit(signal)))
    return;
  if (!isSpecial(action.handler))
    return catchForReal(signal);
  caught &= ~signalBit(signal);
  setReal(signal, action.handler, action.flags & (SA_NOCLDWAIT | SA_NOCLDSTOP));
}

void readAction(const struct sigaction& from, Action& to) {
  to.handler = reinterpret_cast<void*>(from.sa_sigaction);
  to.flags = from.sa_flags;
  to.mask = maskBits(&from.sa_mask);
}

void writeAction(const Action& from, struct sigaction& to) {
  memset(&to, 0, sizeof to);
  to.sa_sigaction = reinterpret_cast<void (*)(int, siginfo_t*, void*)>(from.handler);
  to.sa_flags = from.flags;
  memcpy(&to.sa_mask, &from.mask, sizeof from.mask);
}

} // namespace

Action actionOf(int signal) { return actions[signal]; }

Disposition dispositionOf(int signal) {
  void* handler = actions[signal].handler;
  if (!isSpecial(handler))
    return Disposition::Handler;
  if (handler == reinterpret_cast<void*>(SIG_IGN) || (kIgnoredByDefault & signalBit(signal)))
    return Disposition::Ignore;
  return Disposition::Die;
}

void resetAction(int signal) { actions[signal].handler = nullptr; }

void setCatcher(void (*function)(int, siginfo_t*, void*)) { catcher = function; }

void catchForReal(int signal) {
  uint64_t bit = signalBit(signal);
  if (((kFaults | kReserved | caught) & bit) != 0)
    return;
  caught |= bit;
  setReal(signal, reinterpret_cast<void*>(catcher), SA_SIGINFO | SA_RESTART);
}

PipeSignalScope::PipeSignalScope() { pipeSignalExpected = true; }
PipeSignalScope::~PipeSignalScope() { pipeSignalExpected = false; }
bool expectsPipeSignal() { return pipeSignalExpected; }

void makeSignalsReal() {
  for (int signal = 1; signal < kSignals; ++signal) {
    if ((kReserved & signalBit(signal)) != 0)
      continue;
    struct sigaction action;
    writeAction(actions[signal], action);
    real::sigaction(signal, &action, nullptr);
  }
  sigset_t mask{};
  memcpy(&mask, &self()->signalMask, sizeof self()->signalMask);
  real::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
}

} // namespace heddle::rt

using namespace heddle;
using namespace heddle::rt;

namespace {

bool isSignal(int signal) { return signal > 0 && signal < kSignals; }

using Handler = void (*)(int);

Handler simpleSignal(int signal, Handler handler, int flags) {
  struct sigaction action{};
  struct sigaction old{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  return sigaction(signal, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

} // namespace

HEDDLE_INTERPOSE int sigaction(int signal, const struct sigaction* action, struct sigaction* old) {
  if (!controlled())
    return real::sigaction(signal, action, old);
  if (!isSignal(signal) || signal == 32 || signal == 33 ||
      (action && (signal == SIGKILL || signal == SIGSTOP)))
    return refuse(EINVAL);
  Action before = actions[signal];
  if (action) {
    readAction(*action, actions[signal]);
    followReally(signal, actions[signal]);
    if (dispositionOf(signal) == Disposition::Ignore)
      dropSignals(signal);
  }
  if (old)
    writeAction(before, *old);
  return 0;
}

HEDDLE_INTERPOSE Handler signal(int signal, Handler handler) {
  return simpleSignal(signal, handler, SA_RESTART);
}

HEDDLE_INTERPOSE Handler ssignal(int signal, Handler handler) {
  return simpleSignal(signal, handler, SA_RESTART);
}

HEDDLE_INTERPOSE Handler bsd_signal(int signal, Handler handler) {
  return simpleSignal(signal, handler, SA_RESTART);
}

HEDDLE_INTERPOSE Handler sysv_signal(int signal, Handler handler) {
  return simpleSignal(signal, handler, static_cast<int>(SA_RESETHAND | SA_NODEFER));
}

HEDDLE_INTERPOSE Handler __sysv_signal(int signal, Handler handler) {
  return simpleSignal(signal, handler, static_cast<int>(SA_RESETHAND | SA_NODEFER));
}

HEDDLE_INTERPOSE int siginterrupt(int signal, int interrupts) {
  struct sigaction action;
  if (sigaction(signal, nullptr, &action) != 0)
    return -1;
  if (interrupts)
    action.sa_flags &= ~SA_RESTART;
  else
    action.sa_flags |= SA_RESTART;
  return sigaction(signal, &action, nullptr);
}
