#pragma once

#include "model/event.h"

#include <vector>

/// Traces as the runtime would write them, for tests.
namespace heddle::test {

/// Each call appends an event; threads are started by `start`.
class TraceBuilder {
public:
  TraceBuilder& add(uint32_t thread, EventKind kind, uint64_t address, uint32_t site = 0,
                    uint32_t size = 0, uint32_t result = 0) {
    Event event{};
    event.thread = thread & 0xffff;
    event.kind = static_cast<uint8_t>(kind);
    event.address = address & 0xffff'ffff'ffff;
    event.site = site;
    event.size = size & 0xffff;
    event.result = result & 0xff;
    events_.push_back(event);
    return *this;
  }

  TraceBuilder& read(uint32_t thread, uint64_t address, uint32_t site, uint32_t size = 4) {
    return add(thread, EventKind::Read, address, site, size);
  }
  TraceBuilder& write(uint32_t thread, uint64_t address, uint32_t site, uint32_t size = 4) {
    return add(thread, EventKind::Write, address, site, size);
  }
  TraceBuilder& lock(uint32_t thread, uint64_t mutex) {
    return add(thread, EventKind::MutexLock, mutex);
  }
  TraceBuilder& unlock(uint32_t thread, uint64_t mutex) {
    return add(thread, EventKind::MutexUnlock, mutex);
  }
  TraceBuilder& load(uint32_t thread, uint64_t address, MemoryOrder order, uint32_t site) {
    return add(thread, EventKind::AtomicRead, address, site, 4, orderBits(order));
  }
  TraceBuilder& store(uint32_t thread, uint64_t address, MemoryOrder order, uint32_t site) {
    return add(thread, EventKind::AtomicWrite, address, site, 4, orderBits(order));
  }
  TraceBuilder& update(uint32_t thread, uint64_t address, MemoryOrder order, uint32_t site,
                       bool fails = false) {
    uint32_t bits = orderBits(order) | (fails ? kAccessFailed : 0);
    return add(thread, EventKind::AtomicUpdate, address, site, 4, bits);
  }
  TraceBuilder& fence(uint32_t thread, MemoryOrder order) {
    return add(thread, EventKind::Fence, 0, 0, 0, orderBits(order));
  }
  /// `parent` makes `child`, which begins.
  TraceBuilder& start(uint32_t parent, uint32_t child) {
    add(parent, EventKind::ThreadCreate, 0);
    add(parent, EventKind::ThreadCreate, object(child));
    return add(child, EventKind::ThreadStart, object(child));
  }
  TraceBuilder& finish(uint32_t thread) {
    return add(thread, EventKind::ThreadExit, object(thread));
  }
  TraceBuilder& join(uint32_t parent, uint32_t child) {
    return add(parent, EventKind::ThreadJoin, object(child));
  }

  const std::vector<Event>& events() const { return events_; }

private:
  static uint64_t object(uint32_t thread) { return 0x7000'0000 + thread * 64; }

  std::vector<Event> events_;
};

} // namespace heddle::test
