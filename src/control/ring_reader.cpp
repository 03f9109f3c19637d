#include "control/ring_reader.h"

#include "control/futex.h"

#include <algorithm>
#include <atomic>

namespace heddle {

uint64_t RingReader::drain(const EventSink& sink, uint64_t most) {
  RingHeader& ring = memory_.ring();
  std::span<const std::byte> data = memory_.ringData();
  uint64_t head = ring.head;
  std::atomic_thread_fence(std::memory_order_acquire);
  uint64_t tail = ring.tail;
  head = std::min(head, tail + most * sizeof(Event));
  uint64_t events = (head - tail) / sizeof(Event);
  while (tail + sizeof(Event) <= head) {
    uint64_t at = tail % data.size();
    uint64_t bytes = std::min(head - tail, data.size() - at) / sizeof(Event) * sizeof(Event);
    sink({reinterpret_cast<const Event*>(data.data() + at), bytes / sizeof(Event)});
    tail += bytes;
    std::atomic_thread_fence(std::memory_order_release);
    ring.tail = tail;
  }
  wakeProducer();
  return events;
}

void RingReader::discard() {
  RingHeader& ring = memory_.ring();
  uint64_t head = ring.head;
  std::atomic_thread_fence(std::memory_order_acq_rel);
  ring.tail = head;
  wakeProducer();
}

void RingReader::wakeProducer() {
  RingHeader& ring = memory_.ring();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!ring.producerWaiting)
    return;
  ring.tailFutex = ring.tailFutex + 1;
  futexWake(&ring.tailFutex);
}

} // namespace heddle
