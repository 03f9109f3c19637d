#pragma once

#include <stdint.h>

/// The program's arguments and environment, copied to a fixed address, so that pointers into them
/// do not depend on how the process was started. What belongs to heddle is left out.
namespace heddle::rt {

struct ProgramArguments {
  int count = 0;
  char** values = nullptr;
  char** environment = nullptr;
  uintptr_t stackTop = 0; ///< of the main fiber's stack, below the copies
};

/// Maps the main fiber's stack and copies.
ProgramArguments copyArguments(int argc, char** argv, char** envp);

/// The value of an environment variable before libc is ready, or null.
const char* findVariable(char** envp, const char* name);

/// Whether the address lies in the guard page of the main fiber's stack.

} // namespace heddle::rt
