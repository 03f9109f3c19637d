#include "runtime/sync/outside_wait.h"

#include "runtime/io/io_wait.h"
#include "runtime/time/virtual_time.h"

#include <errno.h>

namespace heddle::rt {

namespace {

constexpr uint64_t kGlanceNanos = 1'000'000; ///< sleeps take their real time while a child lives

/// Locking a mutex does not act on a cancellation, as waiting for descriptors does.
class WithoutCancellation {
public:
  WithoutCancellation() : enabled_(self()->cancelEnabled) { self()->cancelEnabled = false; }
  ~WithoutCancellation() { self()->cancelEnabled = enabled_; }
  WithoutCancellation(const WithoutCancellation&) = delete;
  WithoutCancellation& operator=(const WithoutCancellation&) = delete;

private:
  bool enabled_;
};

} // namespace

bool reachesOut(bool processShared) { return processShared && hasChildren(); }

int waitForOutsiders(bool (*isFree)(void*), void* object, const Timeout& timeout) {
  if (timeout.time && !validTime(*timeout.time))
    return EINVAL;
  WithoutCancellation guard;
  IoWait wait;
  wait.attempt = isFree;
  wait.context = object;
  wait.reach = Reach::Outside;
  return waitForIo(wait, deadlineOf(timeout)) == IoOutcome::TimedOut ? ETIMEDOUT : 0;
}

uint64_t glanceDeadline(uint64_t deadline) {
  uint64_t glance = deadlineAfter(kGlanceNanos);
  return glance < deadline ? glance : deadline;
}

} // namespace heddle::rt
