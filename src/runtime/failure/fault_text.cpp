#include "runtime/failure/fault_text.h"

#include "runtime/base/message.h"
#include "runtime/memory/heap_blocks.h"

namespace heddle::rt {

namespace {

constexpr uintptr_t kNullPageBytes = 4096;    ///< members of a null object are this near
constexpr uintptr_t kOverflowReach = 8 << 20; ///< one huge frame may step over the guard page
constexpr uint64_t kPoisonWord = 0x0101010101010101ull * kPoison;
constexpr uint64_t kPoisonReach = 1 << 20; ///< members and elements behind a poisoned pointer
constexpr unsigned long kErrorWrite = 2;
constexpr unsigned long kErrorFetch = 16;

bool nearPoison(uint64_t value) { return value - (kPoisonWord - kPoisonReach) < 2 * kPoisonReach; }

/// An address that no page can have is not reported by the kernel: it is still in a register.
bool holdsPoison(const ucontext_t* context) {
  for (int i = REG_R8; i <= REG_RIP; ++i)
    if (nearPoison(static_cast<uint64_t>(context->uc_mcontext.gregs[i])))
      return true;
  return false;
}

const char* accessText(const ucontext_t* context) {
  auto error = static_cast<unsigned long>(context->uc_mcontext.gregs[REG_ERR]);
  if (error & kErrorFetch)
    return "execution";
  return error & kErrorWrite ? "write" : "read";
}

const char* segmentationText(const siginfo_t* info, const ucontext_t* context, uintptr_t stackLow) {
  auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  if (isStackOverflow(info, context, stackLow))
    return formatMessage("stack overflow: %s at %p, below the thread's stack", accessText(context),
                         info->si_addr);
  if (info->si_code == SI_KERNEL)
    return holdsPoison(context)
               ? "segmentation fault: use of a pointer that was read from a freed heap block "
                 "(0xdbdbdbdbdbdbdbdb)"
               : "segmentation fault: use of a pointer that is no valid address";
  if (address < kNullPageBytes)
    return formatMessage("segmentation fault: %s at %p, a null pointer dereference",
                         accessText(context), info->si_addr);
  return formatMessage("segmentation fault: %s at %p", accessText(context), info->si_addr);
}

const char* arithmeticText(int code) {
  switch (code) {
  case FPE_INTDIV:
    return "integer division by zero (SIGFPE)";
  case FPE_INTOVF:
    return "integer overflow (SIGFPE)";
  case FPE_FLTDIV:
    return "floating-point division by zero (SIGFPE)";
  default:
    return "arithmetic error (SIGFPE)";
  }
}

} // namespace

const char* signalText(int signal) {
  struct Name {
    int signal;
    const char* text;
  };
  static constexpr Name names[] = {
      {SIGSEGV, "segmentation fault (SIGSEGV)"},
      {SIGBUS, "bus error (SIGBUS)"},
      {SIGFPE, "arithmetic error (SIGFPE)"},
      {SIGILL, "illegal instruction (SIGILL)"},
      {SIGTRAP, "trap (SIGTRAP)"},
      {SIGSYS, "bad system call (SIGSYS)"},
      {SIGABRT, "abort (SIGABRT)"},
      {SIGTERM, "SIGTERM"},
      {SIGINT, "SIGINT"},
      {SIGQUIT, "SIGQUIT"},
      {SIGKILL, "SIGKILL"},
      {SIGPIPE, "SIGPIPE"},
      {SIGHUP, "SIGHUP"},
      {SIGALRM, "SIGALRM"},
      {SIGUSR1, "SIGUSR1"},
      {SIGUSR2, "SIGUSR2"},
  };
  for (const Name& name : names)
    if (name.signal == signal)
      return name.text;
  return formatMessage("signal %d", signal);
}

bool isStackOverflow(const siginfo_t* info, const ucontext_t* context, uintptr_t stackLow) {
  if (info->si_code == SI_KERNEL || stackLow == 0)
    return false;
  auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  auto stack = static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RSP]);
  bool below = address < stackLow && stackLow - address <= kOverflowReach;
  // The stack pointer is where the fault is, or on its way there.
  return below && stack < stackLow + kOverflowReach && stack + kOverflowReach > stackLow;
}

const char* faultText(int signal, const siginfo_t* info, const ucontext_t* context,
                      uintptr_t stackLow) {
  switch (signal) {
  case SIGSEGV:
    return segmentationText(info, context, stackLow);
  case SIGFPE:
    return arithmeticText(info->si_code);
  case SIGBUS:
    return formatMessage("bus error (SIGBUS) at %p", info->si_addr);
  case SIGILL:
    return formatMessage("illegal instruction (SIGILL) at %p: a trap that the compiler put where "
                         "the program must not get",
                         info->si_addr);
  default:
    return signalText(signal);
  }
}

} // namespace heddle::rt
