#pragma once

#include "runtime/core/scheduler.h"
#include "runtime/io/descriptor_table.h"

#include <poll.h>

/// Waiting for the kernel. A fiber that would block in a system call waits here instead; others
/// run meanwhile. Waits that only this process can end are looked at whenever one of its threads
/// does I/O; the others only when nobody can run, so that runs stay as repeatable as they can be.
namespace heddle::rt {

enum class IoOutcome : uint8_t {
  Ready,       ///< try again
  TimedOut,    ///< the deadline has passed
  Interrupted, ///< a signal handler has run: EINTR
};

/// What a fiber waits for: any of some descriptors, or that an attempt succeeds.
struct IoWait {
  pollfd* descriptors = nullptr;
  uint32_t count = 0;
  bool (*attempt)(void*) = nullptr; ///< true: done, wake the fiber
  void* context = nullptr;
  Reach reach = Reach::Inside;
  bool restarts = true; ///< goes on after handlers that were installed with SA_RESTART
};

/// Blocks the running fiber. Acts on cancellation. `reach` of the descriptors is found out here.
IoOutcome waitForIo(IoWait& wait, uint64_t deadline);
/// The same for one descriptor.
IoOutcome waitForDescriptor(int fd, short events, uint64_t deadline);

/// For reports: the (first) descriptor that a blocked fiber waits for, or -1.
int awaitedDescriptor(const Fiber* fiber);

} // namespace heddle::rt
