#pragma once

#include "runtime/core/scheduler.h"

/// Threads of the program: creation, join, detach, exit. A pthread_t is the address of the fiber's
/// TCB, as in glibc. Events of a thread's life have its Fiber as object.
namespace heddle::rt {

/// What a fiber does, on its own stack and under its own TLS: runs the thread function, lands
/// pthread_exit and cancellation, runs destructors, and reaches the scheduling point of its end.
/// Returns the thread's result. Called by the scheduler only.
void* runThread(Fiber* fiber);

using MainFunction = int (*)(int, char**, char**);
/// The same for main: returns its exit status, unless main leaves by pthread_exit; then the other
/// threads go on, and the last one to end exits the process with status 0.
int runMain(MainFunction main, int argc, char** argv, char** environment);

/// Ends the running thread as pthread_exit does: unwinds its stack to runThread.
[[noreturn]] void leaveThread(void* result);

/// Destructors of the running thread's thread_local objects, newest first. At the end of a thread
/// the model does it; for the main thread it is part of exit().
void runThreadDestructors();

} // namespace heddle::rt
