#pragma once

#include "runtime/base/raw_syscall.h"

#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

namespace heddle::rt {

inline uint64_t clockNanos(clockid_t clock) {
  timespec time{};
  rawSyscall(SYS_clock_gettime, clock, asLong(&time));
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

/// Real time, which only differences of are of use; the program has virtual time.
inline uint64_t realNanos() { return clockNanos(CLOCK_MONOTONIC); }

} // namespace heddle::rt
