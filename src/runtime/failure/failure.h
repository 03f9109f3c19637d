#pragma once

#include "runtime/core/fiber.h"

/// What went wrong in a run (core/end_of_run.h says how it is told). A failure is written to the
/// batch's RunDetail with the state of every thread, then the run ends. Without a controller it is
/// printed and the process ends with kFailureStatus.
namespace heddle::rt {

/// Exit status of a program that fails or loses control without a controller.
inline constexpr int kFailureStatus = 70;

/// Only fills RunDetail (threads, stacks, locks), for the watchdog and for failures. Reads only;
/// safe at any moment.
void describeThreads();

/// A failure is known, but a handler of the program runs first (design: "a failure is recorded
/// before its crash handler runs"). From here until the handler's frame is left, any end of the
/// run counts as this failure. Used around calls of the program's handlers for fatal signals.
class PendingFailure {
public:
  PendingFailure(FailureKind kind, const char* message, const void* address, int signal);
  /// The handler returned: the program goes on, the failure is forgotten.
  ~PendingFailure();
  PendingFailure(const PendingFailure&) = delete;
  PendingFailure& operator=(const PendingFailure&) = delete;
  /// Whether the frame that holds this object is still there, as far as its memory tells: an
  /// exception may have left it.
  bool isAlive() const;

private:
  static constexpr uint64_t kAlive = 0x70656e64696e6721;
  volatile uint64_t alive_ = kAlive;
  const Fiber* fiber_;
};
/// Ends the run with the failure whose handler is running on this fiber, if there is one. Called
/// where the program ends itself: exit, _exit, abort, a fatal signal by default.
void failIfPending();
/// The program leaves the handler by a jump.
void forgetPending();

} // namespace heddle::rt
