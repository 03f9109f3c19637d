#pragma once

#include "runtime/core/fiber.h"

/// Timers of the program in virtual time: alarm, setitimer, timer_create, timerfd. They end when
/// somebody reads a clock or does I/O after their time, and when nobody can run.
namespace heddle::rt {

struct VirtualTimer {
  uint64_t deadline = kNoDeadline; ///< virtual time; kNoDeadline: not armed
  uint64_t interval = 0;           ///< 0: once
  /// What happens; `expirations` is how often it has ended since the last call.
  void (*fire)(VirtualTimer& timer, uint64_t expirations) = nullptr;
  int number = 0; ///< for whoever made it
  int signal = 0;
  uint64_t value = 0;
  VirtualTimer* next = nullptr;
  bool linked = false;
};

/// Arms, or disarms with kNoDeadline.
void armTimer(VirtualTimer& timer, uint64_t deadline, uint64_t interval);
/// When the first one ends; kNoDeadline when none is armed.
uint64_t nextTimer();
/// Fires those whose time has come.
void fireTimers();
/// Lets time jump to the first one and fires it; false when none is armed. For the scheduler, when
/// threads only spin.
bool fireNextTimer();
/// Nanoseconds until it ends; 0 when not armed.
uint64_t timerLeft(const VirtualTimer& timer);

/// How many threads are enabled: a timer may have woken one by a signal.
uint32_t runnableCount();

} // namespace heddle::rt
