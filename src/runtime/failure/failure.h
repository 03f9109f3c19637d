#pragma once

#include "runtime/core/fiber.h"

/// What went wrong in a run, and how a run ends that can not go on. A failure is written to the
/// batch's RunDetail with the state of every thread, then the run ends. Without a controller it is
/// printed and the process ends with kFailureStatus.

/// A debugger's place to stop at, where the failing thread stands and before handlers of the
/// program run; also for failures that raise no signal, for an unexpected exit status, and for
/// races that break nothing.
extern "C" void __heddle_failure(const char* message);

namespace heddle::rt {

/// Exit status of a program that fails or loses control without a controller.
inline constexpr int kFailureStatus = 70;

/// The program failed. The message is text for people; `address` is the faulting address or the
/// block; never returns.
[[noreturn]] void failRun(FailureKind kind, const char* message, const void* address = nullptr,
                          int signal = 0);
/// The runtime can not go on truthfully: the run counts as lost control (exit 4), not as a finding.
[[noreturn]] void loseControl(const char* message);

/// A wrong access to the heap or a wrong free, and what is known about the block.
struct MemoryFault {
  const void* address = nullptr;
  uint32_t size = 0;          ///< of the access; 0 for a free
  SiteId site = SiteId::None; ///< of the access; None: where the thread is
  SiteId allocationSite = SiteId::None;
  SiteId freeSite = SiteId::None;
  ThreadIndex allocationThread = ThreadIndex::None;
  ThreadIndex freeThread = ThreadIndex::None;
};
[[noreturn]] void failMemory(const char* message, const MemoryFault& fault);

/// Only fills RunDetail (threads, stacks, locks), for the watchdog and for failures. Reads only;
/// safe at any moment.
void describeThreads();

/// snprintf into a static buffer without locale, malloc or locks: %s %d %u %x %p %c %lu %lx %ld.
/// There are two buffers: a message may be an argument of the next one.
const char* formatMessage(const char* format, ...) __attribute__((format(printf, 1, 2)));
/// Writes "heddle: MESSAGE" and a newline to stderr.
void writeError(const char* message);
/// Ends the process by SIGABRT, past every handler.
[[noreturn]] void abortForReal();

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
