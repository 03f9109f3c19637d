#pragma once

#include "timeout.h"

#include <errno.h>

/// How an operation that may have to wait is carried out, and which events it leaves.
///
/// Its scheduling point enters the trace when it is attempted, and means success. If it does not
/// succeed at once, the next event of the trace takes that back: same kind and object, with the
/// error as result, or EBUSY when the thread now waits. When a thread that waited gets what it
/// waited for, another event of that kind and object says so, with result 0; when it gives up, with
/// the error. A try operation always leaves the second event, also when it succeeded.
namespace heddle::rt {

/// Attempts until the result is not EBUSY, and waits in the queue of (object, wait) in between.
template <typename Attempt>
int attemptUntil(EventKind kind, const void* object, WaitKind wait, const Timeout& timeout,
                 Attempt attempt) {
  bool waited = false;
  for (;;) {
    int error = attempt();
    if (error == EBUSY) {
      if (!waited)
        note(kind, object, EBUSY);
      waited = true;
      error = blockUntil(object, wait, timeout);
      if (error == 0)
        continue;
    }
    if (waited || error != 0)
      note(kind, object, static_cast<uint8_t>(error));
    return error;
  }
}

/// One attempt, with its outcome as an event. A thread that only fails is made to give way.
template <typename Attempt> int attemptOnce(EventKind kind, const void* object, Attempt attempt) {
  int error = attempt();
  note(kind, object, static_cast<uint8_t>(error));
  if (error == EBUSY)
    noteFutileAttempt(object);
  else
    noteProgress();
  return error;
}

} // namespace heddle::rt
