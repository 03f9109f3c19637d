#pragma once

#include "runtime/time/timeout.h"

#include <errno.h>

/// How an operation that may have to wait is carried out, and which events it leaves.
///
/// Its scheduling point enters the trace when it is attempted, and means success. If it does not
/// succeed at once, the next event of the trace takes that back: same kind and object, with the
/// error as result, or EBUSY when the thread now waits. When a thread that waited gets what it
/// waited for, another event of that kind and object says so, with result 0; when it gives up, with
/// the error. A try operation always leaves the second event, also when it succeeded.
namespace heddle::rt {

/// What an event says of the outcome: who takes over a robust mutex from a dead owner has it.
inline uint8_t outcomeForEvent(int error) {
  return error == EOWNERDEAD ? 0 : static_cast<uint8_t>(error);
}

/// Attempts until the result is not EBUSY, and calls `wait` in between: 0 to try again, or an
/// error.
template <typename Attempt, typename Wait>
int attemptBetween(EventKind kind, const void* object, Wait wait, Attempt attempt) {
  bool waited = false;
  for (;;) {
    int error = attempt();
    if (error == EBUSY) {
      if (!waited)
        note(kind, object, EBUSY);
      waited = true;
      error = wait();
      if (error == 0)
        continue;
    }
    if (waited || outcomeForEvent(error) != 0)
      note(kind, object, outcomeForEvent(error));
    return error;
  }
}

/// The same, waiting in the queue of (object, wait).
template <typename Attempt>
int attemptUntil(EventKind kind, const void* object, WaitKind wait, const Timeout& timeout,
                 Attempt attempt) {
  return attemptBetween(kind, object, [&] { return blockUntil(object, wait, timeout); }, attempt);
}

/// One attempt, with its outcome as an event.
template <typename Attempt> int attemptOnce(EventKind kind, const void* object, Attempt attempt) {
  int error = attempt();
  note(kind, object, outcomeForEvent(error));
  return error;
}

} // namespace heddle::rt
