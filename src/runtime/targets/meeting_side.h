#pragma once

#include "runtime/core/fiber.h"

/// A thread's part in a meeting: what the report shows of it.
namespace heddle::rt {

/// A fiber is at the target from its arrival to the execution of the operation.
bool isAtTarget(const Fiber* fiber);

/// What the fiber is about to do, or has just done, as a side of a meeting.
void describeSide(MeetingSide& side, const Fiber* fiber, uint32_t role);

} // namespace heddle::rt
