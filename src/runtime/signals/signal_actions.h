#pragma once

#include <signal.h>
#include <stdint.h>

/// What the program wants to happen when a signal comes, and the kernel's side of it.
namespace heddle::rt {

struct Action {
  void* handler = nullptr; ///< SIG_DFL, SIG_IGN or a function
  int flags = 0;
  uint64_t mask = 0;
};

enum class Disposition : uint8_t { Ignore, Die, Handler };

Action actionOf(int signal);
Disposition dispositionOf(int signal);
void resetAction(int signal);

/// The handler of ours for signals from outside.
void setCatcher(void (*catcher)(int, siginfo_t*, void*));
/// Lets the catcher have the signal from now on, unless it is a fault or one of the runtime's own.
void catchForReal(int signal);

/// In a child of the program's own fork: what was virtual becomes real.
void makeSignalsReal();

/// While a write is tried whose SIGPIPE is told apart by its result.
class PipeSignalScope {
public:
  PipeSignalScope();
  ~PipeSignalScope();
};
bool expectsPipeSignal();

} // namespace heddle::rt
