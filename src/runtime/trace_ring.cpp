#include "trace_ring.h"

#include "persistent.h"
#include "raw_syscall.h"

#include <linux/futex.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {

/// The head is published once per this many bytes, so that an event costs a store and no fence.
constexpr uint64_t kPublishBytes = 1 << 14;

struct Producer {
  char* data = nullptr;
  RingHeader* header = nullptr;
  uint64_t size = 0; ///< a power of two
  uint64_t head = 0;
  uint64_t limit = 0; ///< head at which something must be done: publish, or wait for room
  uint64_t begin = 0;
};
Producer producer;

void wakeConsumer(RingHeader* header) {
  if (!header->consumerWaiting)
    return;
  header->headFutex = header->headFutex + 1;
  rawSyscall(SYS_futex, asLong(const_cast<uint32_t*>(&header->headFutex)), FUTEX_WAKE, 1);
}

void publish() {
  __atomic_store_n(&producer.header->head, producer.head, __ATOMIC_SEQ_CST);
  wakeConsumer(producer.header);
}

uint64_t room() {
  return producer.size - (producer.head - __atomic_load_n(&producer.header->tail, __ATOMIC_ACQUIRE));
}

void waitForRoom() {
  RingHeader* header = producer.header;
  while (room() < kPublishBytes) {
    header->producerWaiting = 1;
    uint32_t seen = header->tailFutex;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    struct {
      long seconds, nanos;
    } timeout{0, 20'000'000}; // the consumer may have died between two looks
    if (room() < kPublishBytes)
      rawSyscall(SYS_futex, asLong(const_cast<uint32_t*>(&header->tailFutex)), FUTEX_WAIT, seen,
                 asLong(&timeout));
  }
  header->producerWaiting = 0;
}

[[gnu::noinline]] void publishAndMakeRoom() {
  publish();
  waitForRoom();
  producer.limit = producer.head + kPublishBytes;
}

} // namespace

void beginTrace() {
  BatchHeader* batch = persistent().batch;
  producer = {};
  if (!batch || batch->ring.bytes == 0)
    return;
  auto* base = reinterpret_cast<char*>(batch) + batch->ring.offset;
  producer.header = reinterpret_cast<RingHeader*>(base);
  producer.data = base + kRingDataOffset;
  producer.size = 1ull << (63 - __builtin_clzll(batch->ring.bytes - kRingDataOffset));
  producer.begin = producer.head = producer.limit = producer.header->head;
}

void appendEvent(const Event& event) {
  if (__builtin_expect(producer.head == producer.limit, false)) {
    if (!producer.header)
      return;
    publishAndMakeRoom();
  }
  *reinterpret_cast<Event*>(producer.data + (producer.head & (producer.size - 1))) = event;
  producer.head += sizeof(Event);
}

void flushTrace() {
  if (producer.header)
    publish();
}

uint64_t tracedEvents() { return (producer.head - producer.begin) / sizeof(Event); }

} // namespace heddle::rt
