#pragma once

#include "../model/event.h"

/// The producer's side of the trace ring. A full ring blocks; no event is ever dropped.
namespace heddle::rt {

void beginTrace();
void appendEvent(const Event& event);
/// Makes all events visible to the controller.
void flushTrace();
uint64_t tracedEvents();

} // namespace heddle::rt
