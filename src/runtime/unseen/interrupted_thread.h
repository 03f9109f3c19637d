#pragma once

#include "runtime/unseen/instruction.h"
#include "runtime/unseen/loop_watch.h"

#include <ucontext.h>

/// The running thread where a signal has interrupted it.
namespace heddle::rt {

uintptr_t ripOf(const ucontext_t* context);

/// Whether it can give way there: in the program's own code, on a stack that has room for a
/// handler.
bool isBreakable(const ucontext_t* context);

/// Its registers, all of them.
MachineState stateOf(const ucontext_t* context);

} // namespace heddle::rt
