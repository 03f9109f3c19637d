#pragma once

#include <signal.h>
#include <stdint.h>

/// Handlers of the runtime itself, installed past libc.
namespace heddle::rt {

using SignalHandler = void (*)(int, siginfo_t*, void*);

/// `mask` is blocked while the handler runs.
void installHandler(int signal, SignalHandler handler, unsigned long flags, uint64_t mask);
/// The kernel's own action.
void installDefault(int signal);

} // namespace heddle::rt
