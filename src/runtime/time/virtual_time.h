#pragma once

#include <stdint.h>

/// Virtual time: the same in every run of a plan. It stands still while threads run, moves a
/// little when a clock is read, and jumps to the next deadline when nobody can run.
namespace heddle::rt {

void startTime(uint64_t baseNanos);
void advanceTo(uint64_t nanos);
/// Virtual time `nanos` from now; kNoDeadline stays.
uint64_t deadlineAfter(uint64_t nanos);

} // namespace heddle::rt
