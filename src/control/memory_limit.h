#pragma once

#include "control/options.h"

#include <cstdint>

namespace heddle {

/// What this process may use, in bytes: all that analyses keep of traces counts against it. The
/// programs that it runs are not counted. Set once, before anything is analysed.
void setMemoryLimit(uint64_t bytes);
uint64_t memoryLimit();

/// Bytes that are allocated now. What was given back counts no longer, whether or not the system
/// has it already.
uint64_t memoryInUse();

/// Whether so much of it is in use that nothing more may be kept: who asks leaves out the rest, and
/// says so. Costs some microseconds. Thread-safe.
bool memoryIsShort();

/// Gives the system what is free, after something large has gone.
void returnMemory();

/// What --memory says, or else half of the machine's memory, but at most so much; in bytes.
uint64_t memoryBudget(const Options& options, uint64_t most);
inline constexpr uint64_t kMaxMemory = uint64_t{4} << 30;
inline constexpr uint64_t kMaxMemoryOfAnAnalysis = uint64_t{8} << 30;

} // namespace heddle
