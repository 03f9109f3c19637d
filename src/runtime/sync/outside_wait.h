#pragma once

#include "runtime/time/timeout.h"

/// Process-shared objects while a child of the program lives: it works on them as libc does, and
/// nobody here is told. Threads that wait for it are woken when nobody else can run and the object
/// looks free. Other processes than children are not waited for.
namespace heddle::rt {

/// Whether a process-shared object may be in the hands of another process.
bool reachesOut(bool processShared);

/// Waits until `isFree(object)`: 0, and the caller tries again, or ETIMEDOUT, or EINVAL for a time
/// that is not valid. No cancellation point.
int waitForOutsiders(bool (*isFree)(void*), void* object, const Timeout& timeout);

/// When a wait for a condition variable that another process may signal is to be given up, to look
/// at the condition again: its signal leaves no trace that could be looked for.
uint64_t glanceDeadline(uint64_t deadline);

} // namespace heddle::rt
