#pragma once

/// Cancellation. A request is a flag on the fiber; it acts where POSIX has cancellation points, by
/// the real pthread_exit, so that cleanup handlers and destructors run. Deferred cancellation also
/// ends the waits that are cancellation points: condition variables, join, semaphores, sleep, I/O.
/// Asynchronous cancellation ends any wait, and acts at the next scheduling point otherwise.
namespace heddle::rt {

/// Acts on a pending request if the running fiber allows it: then it never returns. Every model
/// of a POSIX cancellation point calls this after its scheduling point, and again when blockOn
/// returns WakeReason::Cancelled. Does nothing while the program is not controlled.
void cancellationPoint();

/// The same for asynchronous cancellation: what the scheduler calls at a scheduling point.
void asynchronousCancellationPoint();

} // namespace heddle::rt
