#pragma once

#include <signal.h>
#include <stdint.h>

/// Signals that end the program, from the kernel and from the program itself; and the watchdog's
/// question where the threads are. Handlers run on a stack of their own, outside every fiber.
namespace heddle::rt {

/// The handler of them all.
void onFatalSignal(int signal, siginfo_t* info, void* context);
/// Installs the handlers; at start.
void installFatalSignals();

/// SIGSEGV and the like: signals that mean that the program went wrong.
bool isFatalSignal(int signal);

/// The running thread sent itself, or another thread or the process sent, a fatal signal whose
/// action is the default one: the run fails as if the kernel had raised it.
[[noreturn]] void failBySignal(int signal);

} // namespace heddle::rt
