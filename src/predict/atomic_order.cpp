#include "predict/atomic_order.h"

#include <algorithm>

namespace heddle {
namespace {

/// They only serve to name places: what is left out hides no race.
constexpr size_t kMaxWrites = 8;
constexpr size_t kMaxReads = 16;

template <typename T> void keepLast(std::vector<T>& items, size_t most) {
  if (items.size() > most)
    items.erase(items.begin());
}

} // namespace

AtomicOrder::Thread& AtomicOrder::state(uint32_t thread) {
  if (thread >= threads_.size())
    threads_.resize(thread + 1);
  return threads_[thread];
}

void AtomicOrder::endThread(uint32_t thread) { state(thread) = {}; }

void AtomicOrder::read(uint32_t thread, Clocks& own, const AtomicOperation& operation,
                       uint64_t address) {
  ++operations_;
  Object& object = objects_[address];
  own.seen.join(object.seen);
  if (acquires(operation.order))
    own.proper.join(object.proper);
  else
    state(thread).toAcquire.join(object.proper);
  auto& known = state(thread).known[address];
  if (known == std::pair(object.version, operation.site)) // it spins
    return;
  known = {object.version, operation.site};
  noteWeakReads(thread, own.seen.at(thread), operation, object);
}

void AtomicOrder::noteWeakReads(uint32_t thread, uint32_t time, const AtomicOperation& load,
                                const Object& object) {
  for (const Write& write : object.sequence) {
    bool strong = acquires(load.order) && releases(write.operation.order);
    if (strong || write.thread == thread)
      continue;
    auto& reads = weakReads_[{thread, load, write.operation}];
    reads.push_back({write, time, operations_});
    keepLast(reads, kMaxReads);
  }
}

void AtomicOrder::write(uint32_t thread, Clocks& own, const AtomicOperation& operation,
                        uint64_t address) {
  ++operations_;
  Object& object = objects_[address];
  object.seen.join(own.seen);
  const VectorClock& told = releases(operation.order) ? own.proper : state(thread).released;
  if (!operation.update) {
    object.proper = told;
    object.sequence.clear();
  } else {
    object.proper.join(told);
    std::erase_if(object.sequence, [&](const Write& write) { return write.thread == thread; });
  }
  object.sequence.push_back({thread, operation, own.seen, own.proper, told});
  keepLast(object.sequence, kMaxWrites);
  object.version = operations_;
  own.tickSeen(thread);
}

void AtomicOrder::forget(uint64_t address, uint64_t bytes) {
  objects_.erase(objects_.lower_bound(address), objects_.lower_bound(address + bytes));
}

void AtomicOrder::fence(uint32_t thread, Clocks& own, MemoryOrder order) {
  Thread& fencing = state(thread);
  if (acquires(order)) {
    own.proper.join(fencing.toAcquire);
    fencing.lastFence = ++operations_;
  }
  if (releases(order)) {
    fencing.released = own.proper;
    own.tickSeen(thread); // what comes after the fence is not released by it
  }
}

std::vector<WeakOrder> AtomicOrder::weakOrders(uint32_t thread, uint32_t time,
                                               const VectorClock& observer) const {
  std::vector<WeakOrder> result;
  for (const auto& [place, reads] : weakReads_) {
    const auto& [reader, load, store] = place;
    // The read must be known to the observer, and the writer must have known properly of the past
    // in question: else the order was lost elsewhere.
    auto carries = [&, reader = reader](const WeakRead& read) {
      return read.readerTime <= observer.at(reader) && time <= read.write.proper.at(thread);
    };
    auto read = std::find_if(reads.rbegin(), reads.rend(), carries);
    if (read == reads.rend())
      continue;
    bool storeLacks = read->write.told.at(thread) < time;
    bool fenced = reader < threads_.size() && threads_[reader].lastFence > read->number;
    bool loadLacks = !acquires(load.order) && !fenced;
    if (storeLacks || loadLacks)
      result.push_back({store, load, storeLacks, loadLacks});
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

} // namespace heddle
