#pragma once

/// The end of the program: handlers and destructors run on the fiber that called exit while the
/// others can still be scheduled; then the run ends, and the process stays for the next one.
namespace heddle::rt {

/// Puts our last handler below all others; at start, before any constructor of the program.
void registerExitTail();

/// exit(status), and what main's return does.
[[noreturn]] void exitProgram(int status);
/// _exit(status): no handlers, nothing is flushed.
[[noreturn]] void exitNow(int status);

} // namespace heddle::rt
