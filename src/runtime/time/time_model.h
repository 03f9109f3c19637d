#pragma once

#include "runtime/core/scheduler.h"

#include <time.h>

/// Clocks and sleeps in virtual time. A clock moves a little with every read, and jumps when all
/// threads wait; sleeps end in the order of their deadlines, and only when nobody else can run.
namespace heddle::rt {

/// Puts the running fiber to sleep; true if it slept to the end, false if a handler has run.
bool sleepUntil(uint64_t deadline);

timespec timespecOf(uint64_t nanos);
/// Virtual nanoseconds since the program has started: what CPU clocks show.
uint64_t runTime();

} // namespace heddle::rt
