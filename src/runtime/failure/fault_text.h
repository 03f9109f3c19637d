#pragma once

#include <signal.h>
#include <stdint.h>
#include <ucontext.h>

/// What a fault means, in words.
namespace heddle::rt {

/// "segmentation fault (SIGSEGV)".
const char* signalText(int signal);
/// One sentence about a fault that the kernel reported. `stackLow` is the end of the running
/// thread's stack.
const char* faultText(int signal, const siginfo_t* info, const ucontext_t* context,
                      uintptr_t stackLow);
bool isStackOverflow(const siginfo_t* info, const ucontext_t* context, uintptr_t stackLow);

} // namespace heddle::rt
