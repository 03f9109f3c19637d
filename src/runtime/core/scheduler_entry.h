#pragma once

#include "runtime/core/fiber.h"

/// What start-up and the run loop need of the scheduler and nobody else does.
namespace heddle::rt {

/// First code of a fiber on its donor's stack.
[[noreturn]] void fiberMain(Fiber* fiber);

/// Makes the calling context the main fiber; the runtime controls the program from here on.
void adoptMainFiber();
/// The program leaves control: a child of its own fork().
void abandonControl();

/// From here on the strategy decides and decisions are logged; called at the snapshot point.
void beginRun(uint64_t seed, const Plan& plan);
/// There is no controller: points that decide nothing cost nearly nothing.
void runQuietly();
/// Switches from the run loop to `stackPointer`, a context of the current fiber; returns when the
/// run has ended or leaveToServer() was called.
void enterProgram(void* stackPointer);
/// Switches from the running fiber to the run loop; returns when enterProgram comes back here.
void leaveToServer();

/// Counters of the run so far.
struct RunCounters {
  uint64_t steps;
  uint64_t choices;
  uint64_t digest;
  uint32_t threads;
  uint32_t peakThreads;
  uint32_t preemptions;
  uint32_t switches;
};
RunCounters runCounters();

/// Called at the end of point() and blockOn() while the running fiber has unblocked pending
/// signals; set by the signal model.
void setSignalDelivery(void (*deliver)(Fiber*));

} // namespace heddle::rt
