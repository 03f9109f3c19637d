#pragma once

#include "runtime/base/signal_handler.h"

/// System calls that code without hooks makes by an instruction of its own, and not by a function
/// of libc: the locks of a library may be futexes in inline assembly. A thread that waits in one
/// would keep the only OS thread for ever.
///
/// Linux 6.17 and newer can raise SIGSYS for the instructions in one range of addresses
/// (PR_SYS_DISPATCH_INCLUSIVE_ON). The handler runs on the stack of the thread, hands the call to
/// the models, and returns after the instruction with what the kernel would have returned. The
/// range is chosen by what stands in the code: libraries that lie side by side and have such
/// instructions, or the program's own code. Nothing is dispatched where nobody has any, so that all
/// other programs pay nothing; libc, the loader and the runtime itself never are.
namespace heddle::rt {

/// Chooses the range; at the start, and when a library was loaded.
void findDispatchedCode();
/// Switches the dispatch on for this process if there is such code. Children of a fork start
/// without it.
void dispatchCalls();
/// Who gets a SIGSYS that no dispatched call has raised; at start.
void setOtherSystemCallHandler(SignalHandler handler);

} // namespace heddle::rt
