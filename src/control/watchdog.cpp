#include "control/watchdog.h"

#include "control/process.h"

namespace heddle {

void Watchdog::restart(double slowdown) {
  slowdown_ = slowdown;
  process_ = -1;
  changed_ = Clock::now();
}

Silence Watchdog::observe(const Progress& progress, pid_t process) {
  // In a fork server the run is executed by a child, whose clock counts.
  pid_t runner = progress.pid != 0 ? static_cast<pid_t>(progress.pid) : process;
  if (progress != last_ || runner != process_) {
    last_ = progress;
    process_ = runner;
    cpuAtChange_ = cpuNanos(runner);
    changed_ = Clock::now();
    return Silence::None;
  }
  std::chrono::duration<double> wall = Clock::now() - changed_;
  if (wall.count() < std::min(cpuSeconds_ * std::min(slowdown_, 1.0), wallSeconds_))
    return Silence::None;
  uint64_t cpu = cpuNanos(runner);
  double used = cpu > cpuAtChange_ ? static_cast<double>(cpu - cpuAtChange_) * 1e-9 : 0;
  if (used >= cpuSeconds_ * slowdown_)
    return Silence::Computes;
  bool computes = slowdown_ > 1 && used > wall.count() / 4; // slow, but it does not wait
  return wall.count() >= wallSeconds_ && !computes ? Silence::Waits : Silence::None;
}

} // namespace heddle
