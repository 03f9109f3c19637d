#include "runtime/time/virtual_timer.h"

#include "runtime/core/scheduler_state.h"
#include "runtime/time/virtual_time.h"

namespace heddle::rt {

namespace {

VirtualTimer* timers = nullptr; ///< all that were ever armed
uint64_t earliest = kNoDeadline;

void findEarliest() {
  earliest = kNoDeadline;
  for (VirtualTimer* t = timers; t; t = t->next)
    if (t->deadline < earliest)
      earliest = t->deadline;
}

void fireOne(VirtualTimer& timer) {
  uint64_t late = now() - timer.deadline;
  uint64_t expirations = 1;
  if (timer.interval == 0) {
    timer.deadline = kNoDeadline;
  } else {
    expirations += late / timer.interval;
    timer.deadline += expirations * timer.interval;
  }
  timer.fire(timer, expirations);
}

} // namespace

void armTimer(VirtualTimer& timer, uint64_t deadline, uint64_t interval) {
  timer.deadline = deadline;
  timer.interval = interval;
  if (!timer.linked) {
    timer.linked = true;
    timer.next = timers;
    timers = &timer;
  }
  findEarliest();
}

uint64_t nextTimer() { return earliest; }

void fireTimers() {
  if (earliest > now())
    return;
  for (VirtualTimer* t = timers; t; t = t->next)
    if (t->deadline <= now())
      fireOne(*t);
  findEarliest();
}

bool fireNextTimer() {
  if (earliest == kNoDeadline)
    return false;
  advanceTo(earliest);
  fireTimers();
  return true;
}

uint64_t timerLeft(const VirtualTimer& timer) {
  if (timer.deadline == kNoDeadline)
    return 0;
  return timer.deadline > now() ? timer.deadline - now() : 1;
}

uint32_t runnableCount() { return scheduler.enabledCount; }

} // namespace heddle::rt
