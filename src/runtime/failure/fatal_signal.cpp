#include "runtime/failure/fatal_signal.h"

#include "runtime/base/arena.h"
#include "runtime/base/code_places.h"
#include "runtime/base/message.h"
#include "runtime/base/persistent.h"
#include "runtime/base/process_end.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/base/runtime_section.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler.h"
#include "runtime/failure/failure.h"
#include "runtime/failure/fault_text.h"
#include "runtime/memory/donor.h"
#include "runtime/memory/heap.h"
#include "runtime/signals/signal_model.h"
#include "runtime/unseen/dispatched_calls.h"
#include "runtime/unseen/unseen_spin.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

namespace heddle::rt {

namespace {

constexpr size_t kSignalStackBytes = 256 << 10;
constexpr int kFatalSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};

struct AbortMessage { ///< of libc
  unsigned bytes;
  char text[1];
};
AbortMessage** abortMessage = nullptr;
uint32_t internalFaults = 0;

/// Nothing is blocked in a handler: it is left without returning, and may fault itself.
void install(int signal, SignalHandler handler, unsigned long flags) {
  installHandler(signal, handler, flags | SA_NODEFER, 0);
}

bool fromKernel(const siginfo_t* info) { return info->si_code > 0; }

/// Where the stack of the running thread ends; a guard lies below.
uintptr_t stackLow() {
  const Fiber* fiber = self();
  if (!fiber)
    return 0;
  if (fiber->ownStack)
    return fiber->ownStack;
  return fiber->donor ? fiber->donor->stackLow : kMainStackBase;
}

/// libc ends the program itself when it detects an error; it keeps what it printed.
const char* libcMessage() {
  if (!abortMessage || !*abortMessage || (*abortMessage)->text[0] == 0)
    return nullptr;
  char text[256];
  size_t length = strnlen((*abortMessage)->text, sizeof text - 1);
  memcpy(text, (*abortMessage)->text, length);
  while (length > 0 && text[length - 1] == '\n')
    --length;
  text[length] = 0;
  return formatMessage("%s", text);
}

struct Diagnosis {
  FailureKind kind;
  const char* message;
  const void* address;
};

Diagnosis diagnose(int signal, const siginfo_t* info, const ucontext_t* context) {
  if (signal == SIGABRT) {
    const char* detected = libcMessage();
    if (!detected)
      return {FailureKind::Assertion, "abort (SIGABRT)", nullptr};
    bool isMemory = strstr(detected, "overflow") || strstr(detected, "smashing");
    return {isMemory ? FailureKind::MemoryError : FailureKind::Assertion, detected, nullptr};
  }
  if (!fromKernel(info))
    return {FailureKind::Crash,
            formatMessage("%s, sent by process %d", signalText(signal), info->si_pid), nullptr};
  return {FailureKind::Crash, faultText(signal, info, context, stackLow()), info->si_addr};
}

[[noreturn]] void failInternally(int signal, const ucontext_t* context) {
  const char* message = formatMessage(
      "%s in the runtime's own code, at pc 0x%lx: an internal error, or a bad pointer "
      "passed to a function that the runtime replaces",
      signalText(signal), static_cast<unsigned long>(context->uc_mcontext.gregs[REG_RIP]));
  switch (++internalFaults) {
  case 1:
    loseControl(message);
  case 2: // the first attempt to describe the threads failed too
    if (BatchHeader* batch = persistent().batch)
      strncpy(batch->detail.message, message, kMessageBytes - 1);
    writeError(message);
    endRun(Outcome::LostControl, 0);
  default:
    writeError(message);
    leaveProcess(kFailureStatus);
  }
}

bool inRuntimeCode(const ucontext_t* context) {
  return isRuntimeCode(static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RIP]));
}

/// Whether the fault is at the object that the program passed to the function it called (a mutex
/// behind a null pointer): then it is the program's, though our code runs into it.
bool atProgramsObject(const siginfo_t* info) {
  constexpr uintptr_t objectReach = 256;
  const Fiber* fiber = self();
  if (!fiber || fiber->view.pending.kind < EventKind::MutexLock ||
      fiber->view.pending.kind > EventKind::FutexWake)
    return false;
  return reinterpret_cast<uintptr_t>(info->si_addr) - fiber->view.pending.address < objectReach;
}

bool isInternal(const siginfo_t* info, const ucontext_t* context) {
  if (runtimeDepth != 0)
    return true;
  return fromKernel(info) && inRuntimeCode(context) && !atProgramsObject(info);
}

/// The second delivery of a fault, on the program's own stack: its handler may switch threads,
/// jump out, or never return.
void deliverToProgram(int signal, siginfo_t* info, void* context) {
  install(signal, onFatalSignal, SA_ONSTACK);
  Diagnosis what = diagnose(signal, info, static_cast<ucontext_t*>(context));
  PendingFailure failure(what.kind, what.message, what.address, signal);
  callProgramHandler(signal, info, context);
}

/// Whether executing the same instruction again raises the same signal again.
bool repeats(int signal, const siginfo_t* info) {
  return fromKernel(info) &&
         (signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL);
}

/// The program wants to see the signal first.
void passToProgram(int signal, siginfo_t* info, void* context, const Diagnosis& what) {
  auto* state = static_cast<ucontext_t*>(context);
  if (repeats(signal, info) && !isStackOverflow(info, state, stackLow())) {
    install(signal, deliverToProgram, 0);
    return;
  }
  PendingFailure failure(what.kind, what.message, what.address, signal);
  callProgramHandler(signal, info, context);
  if (signal == SIGABRT) // abort() does not come back from a handler that returns
    failIfPending();
}

} // namespace

void onFatalSignal(int signal, siginfo_t* info, void* context) {
  auto* state = static_cast<ucontext_t*>(context);
  if (signal == SIGTRAP && info->si_code == TRAP_TRACE) // nobody else steps through the program
    return stepUnseenSpin(state);
  if (signal == SIGTRAP)
    unblockSpinSignal();
  if (!controlled()) {
    installDefault(signal);
    if (!repeats(signal, info))
      rawSyscall(SYS_tgkill, rawSyscall(SYS_getpid), rawSyscall(SYS_gettid), signal);
    return;
  }
  if (isInternal(info, state))
    failInternally(signal, state);
  Diagnosis what = diagnose(signal, info, state);
  if (programHandles(signal)) {
    passToProgram(signal, info, context, what);
    return;
  }
  failRun(what.kind, what.message, what.address, signal);
}

namespace {

/// Only reads, and only writes to the batch: the program does not notice.
void onWatchdog(int, siginfo_t*, void*) {
  BatchHeader* batch = persistent().batch;
  if (!batch || batch->dumpRequest != 1)
    return;
  RuntimeSection section;
  const Fiber* fiber = self();
  batch->detail.thread = raw(fiber ? fiber->index() : ThreadIndex::None);
  describeThreads();
  batch->dumpRequest = 2;
}

} // namespace

void installFatalSignals() {
  mapFixed(kSignalStackBase, kSignalStackBytes, "the stack of signal handlers");
  stack_t stack{};
  stack.ss_sp = reinterpret_cast<void*>(kSignalStackBase);
  stack.ss_size = kSignalStackBytes;
  rawSyscall(SYS_sigaltstack, asLong(&stack), 0);
  for (int signal : kFatalSignals)
    install(signal, onFatalSignal, SA_ONSTACK);
  // A thread gives way when this handler has returned, on its own stack.
  installHandler(SIGTRAP, onFatalSignal, SA_ONSTACK | SA_NODEFER, 1ull << (kSpinSignal - 1));
  setOtherSystemCallHandler(onFatalSignal);
  install(kWatchdogSignal, onWatchdog, SA_ONSTACK | SA_RESTART);
  InternalAllocation guard;
  abortMessage = static_cast<AbortMessage**>(real::dlsym(RTLD_DEFAULT, "__abort_msg"));
}

bool isFatalSignal(int signal) {
  for (int fatal : kFatalSignals)
    if (fatal == signal)
      return true;
  return false;
}

void failBySignal(int signal) {
  failIfPending();
  failRun(signal == SIGABRT ? FailureKind::Assertion : FailureKind::Crash,
          formatMessage("%s, raised by the program", signalText(signal)), nullptr, signal);
}

} // namespace heddle::rt
