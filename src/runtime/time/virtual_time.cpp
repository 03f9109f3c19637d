#include "runtime/time/virtual_time.h"

#include "runtime/core/scheduler_state.h"

namespace heddle::rt {

namespace {

constexpr uint64_t kDefaultBase = 1'700'000'000'000'000'000; ///< without a controller
constexpr uint64_t kUptime = 1'000'000'000'000;              ///< CLOCK_MONOTONIC at the start
constexpr uint64_t kReadStep = 1'000;
constexpr uint64_t kLongestStep = 10'000'000;

uint64_t base = kDefaultBase;
uint64_t current = kDefaultBase;
uint64_t readStep = kReadStep;
uint64_t stepsAtRead = 0;
Fiber* lastReader = nullptr;

} // namespace

void startTime(uint64_t baseNanos) {
  if (baseNanos == 0)
    return;
  current = baseNanos + (current - base);
  base = baseNanos;
}

uint64_t now() { return current; }

uint64_t timeOrigin() { return base - kUptime; }

void advanceTo(uint64_t nanos) {
  if (nanos > current)
    current = nanos;
}

uint64_t readClock() {
  // A thread that does nothing but read clocks waits for time to pass: bigger steps each time.
  constexpr uint64_t busySteps = 8;
  bool waits = scheduler.current == lastReader && scheduler.steps - stepsAtRead < busySteps;
  readStep = waits ? readStep + readStep / 4 : kReadStep;
  if (readStep > kLongestStep)
    readStep = kLongestStep;
  lastReader = scheduler.current;
  stepsAtRead = scheduler.steps;
  current += readStep;
  return current;
}

uint64_t deadlineAfter(uint64_t nanos) {
  return nanos < kNoDeadline - 1 - now() ? now() + nanos : kNoDeadline - 1;
}

} // namespace heddle::rt
