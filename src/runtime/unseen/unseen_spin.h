#pragma once

#include "runtime/core/fiber.h"

#include <ucontext.h>

/// Threads that spin where no hook sees it: in inline assembly, in a library without hooks, in a
/// plain clone. All threads share one OS thread, so nobody else would ever run.
///
/// A timer of CPU time looks whether the program makes steps. Where it makes none although others
/// could run, the running thread is single-stepped for a moment (LoopWatch). A thread that
/// demonstrably repeats itself gives way; one that does not is let go on and looked at again later,
/// and gets company only after a long time: its loop may count its attempts, or compute. Giving way
/// is a decision like any other (breakUnseenSpin in scheduler.h), at the lowest address of the
/// loop, so that replay finds the same place again.
///
/// The handlers of the timer and of the steps run on the stack of signal handlers and change
/// nothing of the program. Only a thread that gives way does so in a handler on its own stack.
namespace heddle::rt {

/// Of the timer. Libc keeps it for itself, so that no program can use it.
inline constexpr int kSpinSignal = 32;

/// Starts the timer of this process if there is none, and the dispatch of system calls
/// (dispatched_calls.h). Called where a second thread appears.
void watchUnseenSpins();
/// This process is the child of a fork, which has no timers and dispatches nothing.
void forgetSpinTimer();
/// Around the execution of a run: what runs outside is not the program.
void beginSpinWatch();
void endSpinWatch();

/// The processor has executed one instruction of the program with the trap flag set.
void stepUnseenSpin(ucontext_t* context);
/// A handler that blocks the signal is left without returning.
void unblockSpinSignal();

} // namespace heddle::rt
