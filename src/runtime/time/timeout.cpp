#include "runtime/time/timeout.h"

#include "runtime/core/cancellation.h"

#include <errno.h>

namespace heddle::rt {

namespace {
constexpr uint64_t kNanosPerSecond = 1000000000;
constexpr uint64_t kLastDeadline = kNoDeadline - 1;
} // namespace

bool waitableClock(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

bool validTime(const timespec& time) {
  return time.tv_nsec >= 0 && static_cast<uint64_t>(time.tv_nsec) < kNanosPerSecond;
}

uint64_t nanosecondsOf(const timespec& time) {
  if (time.tv_sec < 0)
    return 0;
  auto seconds = static_cast<uint64_t>(time.tv_sec);
  if (seconds >= kLastDeadline / kNanosPerSecond)
    return kLastDeadline;
  return seconds * kNanosPerSecond + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t deadlineOf(const Timeout& timeout) {
  if (!timeout.time)
    return kNoDeadline;
  uint64_t nanos = nanosecondsOf(*timeout.time);
  uint64_t origin = timeout.clock == CLOCK_REALTIME ? 0 : timeOrigin();
  return nanos > kLastDeadline - origin ? kLastDeadline : origin + nanos;
}

int blockUntil(const void* object, WaitKind kind, const Timeout& timeout) {
  if (timeout.time && !validTime(*timeout.time))
    return EINVAL;
  uint64_t deadline = deadlineOf(timeout);
  if (deadline <= now())
    return ETIMEDOUT;
  switch (blockOn(object, kind, deadline)) {
  case WakeReason::TimedOut:
    return ETIMEDOUT;
  case WakeReason::Cancelled:
    cancellationPoint();
    return 0;
  case WakeReason::Woken:
  case WakeReason::Spurious:
    return 0;
  }
  return 0;
}

} // namespace heddle::rt
