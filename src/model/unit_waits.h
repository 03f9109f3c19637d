#pragma once

#include "event.h"

/// Freestanding: the runtime watches units of work, and predictions read what it has recorded.
namespace heddle {

/// Whether a unit of work that does this says that others are to come in: what it does after it is
/// the work of another unit. A semaphore may be a lock, and says nothing.
constexpr bool dividesUnits(EventKind kind) {
  return kind == EventKind::CondWait || kind == EventKind::ThreadJoin ||
         kind == EventKind::BarrierWait || kind == EventKind::FutexWait;
}

} // namespace heddle
