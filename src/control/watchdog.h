#pragma once

#include "model/batch.h"

#include <sys/types.h>

#include <chrono>
#include <cstdint>

namespace heddle {

/// What the runtime shows of its progress.
struct Progress {
  Phase phase = Phase::Starting;
  uint64_t runsDone = 0;
  uint64_t currentRun = 0;
  uint64_t currentSteps = 0;
  uint32_t pid = 0;
  bool operator==(const Progress&) const = default;
};

enum class Silence {
  None,
  Computes, ///< used much CPU time without a scheduling point
  Waits,    ///< waits for something that the runtime does not see
};

/// Notices that a program no longer reaches scheduling points: by its CPU time, so that a busy
/// machine is no reason, and by wall time for one that sleeps in the kernel.
class Watchdog {
public:
  using Clock = std::chrono::steady_clock;
  Watchdog(double cpuSeconds, double wallSeconds)
      : cpuSeconds_(cpuSeconds), wallSeconds_(wallSeconds) {}

  /// `slowdown`: how many times longer than usual the program may take between scheduling points.
  void restart(double slowdown);
  Silence observe(const Progress& progress, pid_t process);

private:
  double cpuSeconds_;
  double wallSeconds_;
  double slowdown_ = 1;
  Progress last_;
  pid_t process_ = -1;
  uint64_t cpuAtChange_ = 0;
  Clock::time_point changed_ = Clock::now();
};

} // namespace heddle
