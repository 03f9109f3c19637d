#include "runtime/time/program_timer.h"

#include "runtime/base/arena.h"
#include "runtime/time/time_model.h"
#include "runtime/time/timeout.h"
#include "runtime/time/virtual_time.h"

#include <new>

namespace heddle::rt {

MadeTimer* newTimer(clockid_t clock, TimerAction fire) {
  auto* made = new (runAllocate(sizeof(MadeTimer))) MadeTimer;
  made->clock = clock;
  made->timer.fire = fire;
  return made;
}

void arm(VirtualTimer& timer, uint64_t after, uint64_t interval) {
  armTimer(timer, after == 0 ? kNoDeadline : deadlineAfter(after), interval);
}

itimerspec remaining(const VirtualTimer& timer) {
  return {timespecOf(timer.interval), timespecOf(timerLeft(timer))};
}

bool validSetting(const itimerspec& value) {
  return validTime(value.it_value) && validTime(value.it_interval) && value.it_value.tv_sec >= 0;
}

void setTimer(MadeTimer& made, bool absolute, const itimerspec& value) {
  uint64_t first = nanosecondsOf(value.it_value);
  uint64_t interval = nanosecondsOf(value.it_interval);
  if (first == 0 || !absolute)
    return arm(made.timer, first, interval);
  clockid_t clock = made.clock == CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  armTimer(made.timer, deadlineOf({clock, &value.it_value}), interval);
}

} // namespace heddle::rt
