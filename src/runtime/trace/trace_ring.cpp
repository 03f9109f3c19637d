#include "runtime/trace/trace_ring.h"

#include "runtime/base/persistent.h"
#include "runtime/base/raw_syscall.h"

#include <linux/futex.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {

/// The head is published once per this many bytes, so that an event costs a store and no fence.
constexpr uint64_t kPublishBytes = 1 << 14;

/// Positions are byte counters as in RingHeader.
struct Producer {
  char* data = nullptr;
  RingHeader* header = nullptr;
  uint64_t size = 0;    ///< a power of two
  uint64_t begin = 0;   ///< at the start of the run
  uint64_t segment = 0; ///< position of `segmentStart`
  uint64_t limit = 0;   ///< events, 0: none
  bool byHooks = false;
  EventWords* segmentStart = nullptr; ///< where the cursor's current stretch begins
};
Producer producer;

uint64_t headPosition() {
  auto written = static_cast<uint64_t>(heddleTraceCursor.next - producer.segmentStart);
  return producer.segment + written * sizeof(EventWords);
}

void wakeConsumer(RingHeader* header) {
  if (!header->consumerWaiting)
    return;
  header->headFutex = header->headFutex + 1;
  rawSyscall(SYS_futex, asLong(const_cast<uint32_t*>(&header->headFutex)), FUTEX_WAKE, 1);
}

void publish() {
  __atomic_store_n(&producer.header->head, headPosition(), __ATOMIC_SEQ_CST);
  wakeConsumer(producer.header);
}

uint64_t room() {
  return producer.size -
         (headPosition() - __atomic_load_n(&producer.header->tail, __ATOMIC_ACQUIRE));
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

/// The next stretch: up to the next publication, which never crosses the end of the ring.
void beginSegment(uint64_t position) {
  producer.segment = position;
  uint64_t offset = position & (producer.size - 1);
  uint64_t bytes = kPublishBytes - (offset & (kPublishBytes - 1));
  producer.segmentStart = reinterpret_cast<EventWords*>(producer.data + offset);
  heddleTraceCursor.next = producer.segmentStart;
  heddleTraceCursor.limit = producer.segmentStart + bytes / sizeof(EventWords);
  heddleTraceCursor.hookLimit = producer.byHooks ? heddleTraceCursor.limit : nullptr;
}

} // namespace

TraceCursor heddleTraceCursor;

void beginTrace(bool wanted, bool byHooks, uint64_t limit) {
  BatchHeader* batch = persistent().batch;
  producer = {};
  heddleTraceCursor.next = heddleTraceCursor.limit = heddleTraceCursor.hookLimit = nullptr;
  if (!wanted || !batch || batch->ring.bytes == 0)
    return;
  auto* base = reinterpret_cast<char*>(batch) + batch->ring.offset;
  producer.header = reinterpret_cast<RingHeader*>(base);
  producer.data = base + kRingDataOffset;
  producer.size = 1ull << (63 - __builtin_clzll(batch->ring.bytes - kRingDataOffset));
  producer.begin = producer.header->head;
  producer.byHooks = byHooks;
  producer.limit = limit;
  beginSegment(producer.begin);
  waitForRoom();
}

void keepHooksFromTrace() {
  producer.byHooks = false;
  heddleTraceCursor.hookLimit = nullptr;
}

bool makeTraceRoom() {
  if (!producer.header)
    return false;
  publish();
  if (producer.limit != 0 && tracedEvents() >= producer.limit) {
    heddleTraceCursor.hookLimit = nullptr; // hooks come here and go away again
    return false;
  }
  waitForRoom();
  beginSegment(headPosition());
  return true;
}

void appendEvent(const Event& event) {
  if (heddleTraceCursor.next == heddleTraceCursor.limit && !makeTraceRoom())
    return;
  __builtin_memcpy(heddleTraceCursor.next++, &event, sizeof event);
}

void flushTrace() {
  if (producer.header)
    publish();
}

uint64_t tracedEvents() {
  return producer.header ? (headPosition() - producer.begin) / sizeof(Event) : 0;
}

} // namespace heddle::rt
