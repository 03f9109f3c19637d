#include "runtime/base/signal_handler.h"

#include "runtime/base/raw_syscall.h"

#include <sys/syscall.h>

// Returns from a handler. It stands in the runtime's section, which is never dispatched
// (dispatched_calls.h); the bytes are the ones by which debuggers and unwinders know a signal
// frame.
asm(R"(
    .pushsection heddle_text, "ax", @progbits
    nop
    .hidden heddleRestoreSignal
    .globl heddleRestoreSignal
    .type heddleRestoreSignal, @function
heddleRestoreSignal:
    movq $15, %rax
    syscall
    .size heddleRestoreSignal, . - heddleRestoreSignal
    .popsection
)");
extern "C" {
void heddleRestoreSignal();
}

namespace heddle::rt {

namespace {

/// As the kernel has it.
struct KernelAction {
  SignalHandler handler;
  unsigned long flags;
  void (*restorer)();
  uint64_t mask;
};
constexpr unsigned long kRestorerFlag = 0x04000000;

} // namespace

void installHandler(int signal, SignalHandler handler, unsigned long flags, uint64_t mask) {
  KernelAction action{handler, flags | SA_SIGINFO | kRestorerFlag, heddleRestoreSignal, mask};
  rawSyscall(SYS_rt_sigaction, signal, asLong(&action), 0, sizeof action.mask);
}

void installDefault(int signal) {
  KernelAction action{};
  rawSyscall(SYS_rt_sigaction, signal, asLong(&action), 0, sizeof action.mask);
}

} // namespace heddle::rt
