#pragma once

#include "model/event.h"

namespace heddle::rt {

/// The running fiber is about to lock or unlock: a scheduling point, unless this execution of its
/// call is left out.
void lockPoint(EventKind kind, const void* object);

} // namespace heddle::rt
