#pragma once

#include "runtime/core/scheduler.h"

#include <signal.h>

/// Signals of the program are virtual. Its handlers never run asynchronously: a signal is queued,
/// and the handler is called on a thread whose mask lets it through, at that thread's next
/// scheduling point. Signals from outside are caught by a handler of ours that only queues them.
/// Faults (SIGSEGV ...) belong to fatal_signal.cpp, which asks here whether the program handles
/// them.
namespace heddle::rt {

/// Whether the program has installed a handler.
bool programHandles(int signal);
/// Calls it with the program's arguments, on this stack, with its mask; for faults.
void callProgramHandler(int signal, siginfo_t* info, void* context);

/// How many handlers have run on a fiber: a wait during which the number changes ends with EINTR.
struct HandlerCalls {
  uint32_t all;
  uint32_t interrupting; ///< those installed without SA_RESTART
};
HandlerCalls handlerCalls(const Fiber* fiber);

/// A signal for one thread (of the running one: its handler has run on return) or for the process.
void raiseForThread(Fiber* fiber, int signal, const siginfo_t& info);
void raiseForProcess(int signal, const siginfo_t& info);
/// SIGPIPE and the like: caused by the running fiber, handled before this returns.
void raiseForSelf(int signal);
siginfo_t makeInfo(int signal, int code);

/// Queues what came from outside, and gives signals of the process to threads that can take them.
/// True if there was anything from outside.
bool takeArrivedSignals();

/// The running fiber's mask; setting it lets pending signals through at once.
void setSignalMask(uint64_t mask);
/// For ppoll, pselect, epoll_pwait: another mask during a wait, if the program gave one.
class MaskScope {
public:
  explicit MaskScope(const sigset_t* mask);
  ~MaskScope();

private:
  uint64_t saved_;
  bool active_;
};

/// The running fiber waits for one of these; 0: it waits for none any more.
void awaitSignals(uint64_t set);

/// signalfd: takes a signal that no thread can take; false if no descriptor wants it. By
/// io/signalfd_model.cpp.
bool writeToSignalDescriptor(int signal, const siginfo_t& info);

} // namespace heddle::rt
