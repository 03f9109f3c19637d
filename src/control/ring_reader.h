#pragma once

#include "control/batch_memory.h"
#include "model/event.h"

#include <functional>
#include <span>

namespace heddle {

using EventSink = std::function<void(std::span<const Event>)>;

/// The consuming side of the trace ring.
class RingReader {
public:
  explicit RingReader(BatchMemory& memory) : memory_(memory) {}

  /// Hands all events that are there to `sink`, frees their space and wakes a waiting producer.
  /// Returns how many there were.
  uint64_t drain(const EventSink& sink);

private:
  BatchMemory& memory_;
};

} // namespace heddle
