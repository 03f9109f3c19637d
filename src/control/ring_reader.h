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

  /// Hands the events that are there to `sink`, about `most` of them, frees their space and wakes a
  /// waiting producer. Returns how many there were.
  uint64_t drain(const EventSink& sink, uint64_t most = uint64_t{1} << 40);
  /// Forgets all that are there.
  void discard();

private:
  void wakeProducer();

  BatchMemory& memory_;
};

} // namespace heddle
