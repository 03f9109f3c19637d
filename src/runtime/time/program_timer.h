#pragma once

#include "runtime/time/virtual_timer.h"

#include <time.h>

/// Timers that the program makes: by timer_create, or as a descriptor (io/timerfd_model.h).
namespace heddle::rt {

struct MadeTimer {
  VirtualTimer timer;
  clockid_t clock = CLOCK_REALTIME;
  bool deleted = false;
  Fiber* target = nullptr; ///< SIGEV_THREAD_ID
  int overrun = 0;
  MadeTimer* next = nullptr;
};

using TimerAction = void (*)(VirtualTimer& timer, uint64_t expirations);
/// One that is not armed; never freed.
MadeTimer* newTimer(clockid_t clock, TimerAction fire);

/// Ends `after` nanoseconds from now, and then each time the interval has passed; 0 disarms it.
void arm(VirtualTimer& timer, uint64_t after, uint64_t interval);

bool validSetting(const itimerspec& value);
/// `absolute`: the first end is a time of its clock.
void setTimer(MadeTimer& timer, bool absolute, const itimerspec& value);
/// What is left until it ends, and its interval.
itimerspec remaining(const VirtualTimer& timer);

} // namespace heddle::rt
