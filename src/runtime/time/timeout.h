#pragma once

#include "runtime/core/scheduler.h"

#include <time.h>

/// Timeouts of sync operations, in virtual time. POSIX gives them as an absolute time of a clock.
namespace heddle::rt {

/// Until when an operation may wait; without a time it waits for ever.
struct Timeout {
  clockid_t clock = CLOCK_REALTIME;
  const timespec* time = nullptr;
};

inline constexpr Timeout kForever;

/// Whether glibc's timed operations accept this clock.
bool waitableClock(clockid_t clock);
/// Whether the nanoseconds of the time are in range.
bool validTime(const timespec& time);
/// Nanoseconds of a time since its clock's origin: none for times before it, saturated above.
uint64_t nanosecondsOf(const timespec& time);
/// The virtual time at which the timeout ends; kNoDeadline without one. The time must be valid.
uint64_t deadlineOf(const Timeout& timeout);

/// Blocks the running fiber until it is woken: 0, and the caller tries again. ETIMEDOUT when the
/// timeout has ended, EINVAL when its time is not valid. Acts on a cancellation that wakes it.
int blockUntil(const void* object, WaitKind kind, const Timeout& timeout);

} // namespace heddle::rt
