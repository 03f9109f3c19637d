#pragma once

/// Which definitions of libc's names a program uses: the runtime's are weak, so that a program can
/// have its own `send` or `time` as it can beside libc's (cmake/link-runtime.sh makes the tables).
namespace heddle::rt {

/// Lets the runtime's calls of functions that it does not replace (memcpy, strlen …) go to libc
/// where the program defines them, too. Call it first: until then they go where the linker has
/// bound them.
void bindLibcCalls();

/// The runtime's function of this name of libc, also where the program defines its own; null: none.
void* ownFunction(const char* name);

/// Why the program cannot be controlled although it is linked with the runtime, or null: it
/// defines functions that the runtime must provide, or hides the runtime's from shared libraries.
const char* interpositionProblem();

} // namespace heddle::rt
