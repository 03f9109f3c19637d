#include "runtime/time/time_model.h"

#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/core/cancellation.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/signals/signal_model.h"
#include "runtime/time/timeout.h"
#include "runtime/time/virtual_time.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <unistd.h>

namespace heddle::rt {

void startTimeModel();

namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kMicrosecond = 1'000;
constexpr uint32_t kPatience = 16; ///< clock reads in a row until others are let in

const char sleepObject = 0;
uint64_t startOfTime = 0;
Fiber* lastReader = nullptr;
uint64_t stepsAtRead = 0;
uint32_t readsInARow = 0;

/// A scheduling point. A thread that does little else but read clocks waits for time to pass, and
/// gives way now and then.
uint64_t tick() {
  constexpr uint64_t busySteps = 8;
  bool again = lastReader == self() && scheduler.steps - stepsAtRead < busySteps;
  readsInARow = again ? readsInARow + 1 : 0;
  if (readsInARow >= kPatience) {
    readsInARow = 0;
    yieldNow(EventKind::ClockRead, nullptr);
  } else {
    point(EventKind::ClockRead, nullptr);
  }
  lastReader = self();
  stepsAtRead = scheduler.steps;
  uint64_t time = readClock();
  refreshIoWaits(); // timers may have ended
  return time;
}

enum class ClockKind : uint8_t { Realtime, Monotonic, Cpu, Unknown };

ClockKind kindOf(clockid_t clock) {
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_REALTIME_ALARM:
  case CLOCK_TAI:
    return ClockKind::Realtime;
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_MONOTONIC_COARSE:
  case CLOCK_BOOTTIME:
  case CLOCK_BOOTTIME_ALARM:
    return ClockKind::Monotonic;
  case CLOCK_PROCESS_CPUTIME_ID:
  case CLOCK_THREAD_CPUTIME_ID:
    return ClockKind::Cpu;
  default:
    return clock < 0 ? ClockKind::Cpu : ClockKind::Unknown; // negative: of a process or thread
  }
}

uint64_t onClock(ClockKind kind, uint64_t time) {
  if (kind == ClockKind::Monotonic)
    return time - timeOrigin();
  return kind == ClockKind::Cpu ? time - startOfTime : time;
}

/// 0 or an error number.
int sleepFor(clockid_t clock, int flags, const timespec* request, timespec* remaining) {
  ClockKind kind = kindOf(clock);
  if (kind == ClockKind::Unknown || clock == CLOCK_THREAD_CPUTIME_ID)
    return EINVAL;
  if (!validTime(*request) || (request->tv_sec < 0 && !(flags & TIMER_ABSTIME)))
    return EINVAL;
  uint64_t nanos = nanosecondsOf(*request);
  uint64_t deadline = deadlineAfter(nanos);
  if (flags & TIMER_ABSTIME) {
    uint64_t origin = kind == ClockKind::Realtime    ? 0
                      : kind == ClockKind::Monotonic ? timeOrigin()
                                                     : startOfTime;
    deadline = nanos > kNoDeadline - 1 - origin ? kNoDeadline - 1 : origin + nanos;
  }
  if (sleepUntil(deadline))
    return 0;
  if (remaining && !(flags & TIMER_ABSTIME))
    *remaining = timespecOf(deadline > now() ? deadline - now() : 0);
  return EINTR;
}

} // namespace

void startTimeModel() { startOfTime = now(); }

uint64_t runTime() { return now() - startOfTime; }

timespec timespecOf(uint64_t nanos) {
  return {static_cast<time_t>(nanos / kSecond), static_cast<long>(nanos % kSecond)};
}

bool sleepUntil(uint64_t deadline) {
  if (deadline <= now()) {
    cancellationPoint();
    yieldNow(EventKind::Sleep, nullptr);
    return true;
  }
  point(EventKind::Sleep, nullptr);
  cancellationPoint();
  uint32_t before = handlerCalls(self()).all;
  while (deadline > now()) {
    WakeReason reason = blockOn(&sleepObject, WaitKind::Sleep, deadline);
    if (reason == WakeReason::TimedOut)
      return true;
    if (reason == WakeReason::Cancelled)
      cancellationPoint();
    if (handlerCalls(self()).all != before)
      return false;
  }
  return true;
}

} // namespace heddle::rt

using namespace heddle;
using namespace heddle::rt;

HEDDLE_INTERPOSE int clock_gettime(clockid_t clock, timespec* time) {
  ClockKind kind = kindOf(clock);
  if (!controlled() || kind == ClockKind::Unknown)
    return real::clock_gettime(clock, time);
  *time = timespecOf(onClock(kind, tick()));
  return 0;
}

HEDDLE_INTERPOSE int gettimeofday(timeval* time, void* zone) {
  if (!controlled())
    return real::gettimeofday(time, zone);
  uint64_t nanos = tick();
  *time = {static_cast<time_t>(nanos / kSecond),
           static_cast<suseconds_t>(nanos % kSecond / kMicrosecond)};
  if (zone)
    *static_cast<struct timezone*>(zone) = {0, 0};
  return 0;
}

HEDDLE_INTERPOSE time_t time(time_t* time) {
  if (!controlled())
    return real::time(time);
  auto seconds = static_cast<time_t>(tick() / kSecond);
  if (time)
    *time = seconds;
  return seconds;
}

HEDDLE_INTERPOSE int ftime(timeb* time) {
  timeval now;
  gettimeofday(&now, nullptr);
  *time = {now.tv_sec, static_cast<unsigned short>(now.tv_usec / 1000), 0, 0};
  return 0;
}

HEDDLE_INTERPOSE int timespec_get(timespec* time, int base) {
  if (!controlled())
    return real::timespec_get(time, base);
  if (base != TIME_UTC)
    return 0;
  *time = timespecOf(tick());
  return base;
}

HEDDLE_INTERPOSE clock_t clock() {
  if (!controlled())
    return real::clock();
  return static_cast<clock_t>((tick() - startOfTime) / (kSecond / CLOCKS_PER_SEC));
}

HEDDLE_INTERPOSE clock_t times(tms* times) {
  if (!controlled())
    return real::times(times);
  uint64_t perSecond = 100; // sysconf(_SC_CLK_TCK) on Linux
  auto ticks = static_cast<clock_t>((tick() - startOfTime) / (kSecond / perSecond));
  if (times)
    *times = {ticks, 0, 0, 0};
  return ticks;
}

HEDDLE_INTERPOSE int getrusage(int who, rusage* usage) {
  int result = real::getrusage(who, usage);
  if (!controlled() || result != 0)
    return result;
  uint64_t nanos = tick() - startOfTime;
  usage->ru_utime = {static_cast<time_t>(nanos / kSecond),
                     static_cast<suseconds_t>(nanos % kSecond / kMicrosecond)};
  usage->ru_stime = {0, 0};
  usage->ru_minflt = usage->ru_majflt = usage->ru_nvcsw = usage->ru_nivcsw = 0;
  return 0;
}

HEDDLE_INTERPOSE int nanosleep(const timespec* request, timespec* remaining) {
  if (!controlled())
    return real::nanosleep(request, remaining);
  int error = sleepFor(CLOCK_REALTIME, 0, request, remaining);
  return error == 0 ? 0 : refuse(error);
}

HEDDLE_INTERPOSE int clock_nanosleep(clockid_t clock, int flags, const timespec* request,
                                     timespec* remaining) {
  if (!controlled())
    return real::clock_nanosleep(clock, flags, request, remaining);
  return sleepFor(clock, flags, request, remaining);
}

HEDDLE_INTERPOSE int usleep(useconds_t microseconds) {
  if (!controlled())
    return real::usleep(microseconds);
  return sleepUntil(deadlineAfter(microseconds * kMicrosecond)) ? 0 : refuse(EINTR);
}

HEDDLE_INTERPOSE unsigned sleep(unsigned seconds) {
  if (!controlled())
    return real::sleep(seconds);
  uint64_t deadline = deadlineAfter(seconds * kSecond);
  if (sleepUntil(deadline) || deadline <= now())
    return 0;
  return static_cast<unsigned>((deadline - now() + kSecond / 2) / kSecond);
}

HEDDLE_INTERPOSE int sched_getcpu() { return controlled() ? 0 : real::sched_getcpu(); }
