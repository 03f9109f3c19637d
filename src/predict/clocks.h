#pragma once

#include "predict/vector_clock.h"

namespace heddle {

/// What a thread, or one who hears of it, knows of everybody's past, in each relation of SyncOrder.
/// `seen` and `proper` count the same time, so that `proper` is never ahead of `seen`.
struct Clocks {
  VectorClock must;
  VectorClock seen;
  VectorClock proper;

  void join(const Clocks& other) {
    must.join(other.must);
    seen.join(other.seen);
    proper.join(other.proper);
  }
  /// The thread's next step in `seen` and `proper`.
  void tickSeen(uint32_t thread) {
    seen.tick(thread);
    proper.set(thread, seen.at(thread));
  }
};

} // namespace heddle
