#pragma once

#include "model/batch.h"

/// The run loop in the program: takes plans from the controller and runs them, each run in this
/// process, in a forked child, or in this process with its memory restored afterwards.
namespace heddle::rt {

using ProgramMain = int (*)(int, char**, char**);

/// Entered at the entry of main, on the process's own stack; never returns.
[[noreturn]] void serve(ProgramMain program, int argc, char** argv, char** envp);

/// The snapshot point moves to the caller: HEDDLE_READY(). Only the first call counts.
void readyPoint();

/// The address of the context in which the program's main starts a run.
void* freshMainContext();

} // namespace heddle::rt
