#pragma once

#include "operation.h"

namespace heddle::explore {

/// Finds out which memory threads share such that the order of their accesses counts: two threads
/// access a byte, one of them writes, and neither the creation of a thread nor a join puts them in
/// order. What is shared in one run of a program stays so for all others.
class Sharing {
public:
  void beginRun(size_t threads);
  void created(ThreadNumber parent, ThreadNumber child);
  void joined(ThreadNumber thread, ThreadNumber ended);
  /// An access to [address, address + size); names of memory, not addresses. Whether a byte of it
  /// is known to be shared.
  bool access(ThreadNumber thread, uint64_t address, uint64_t size, bool isWrite);
  /// A moment of a thread, and whether creations and joins put it before what another does next.
  uint32_t timeOf(ThreadNumber thread) { return timesOf(thread)[thread]; }
  bool isBefore(ThreadNumber thread, uint32_t time, ThreadNumber next) {
    return thread == next || isBefore(Entry{thread, time, 0, 0, 0}, timesOf(next));
  }
  /// Whether something turned out to be shared in this run that was not known to be: accesses to it
  /// that came earlier in the run have not been told so.
  bool foundMore() const { return foundMore_; }

  /// What is known to be shared as words, for a file: pairs of eight bytes of memory and which.
  std::vector<uint64_t> save() const;
  void resume(const std::vector<uint64_t>& words);

private:
  /// What one thread did to eight bytes between two events that put threads in order.
  struct Entry {
    ThreadNumber thread = 0;
    uint32_t time = 0;
    uint8_t read = 0;
    uint8_t written = 0;
    uint32_t next = 0; ///< place in entries_ + 1
  };
  /// Eight bytes of memory.
  struct Granule {
    uint64_t name = 0; ///< + 1; 0: none
    uint64_t run = 0;
    uint32_t first = 0; ///< of this run: place in entries_ + 1
    uint8_t shared = 0; ///< bytes
  };
  using Times = std::vector<uint32_t>;

  Times& timesOf(ThreadNumber thread);
  bool isBefore(const Entry& entry, const Times& times) const {
    return entry.thread < times.size() && entry.time <= times[entry.thread];
  }
  Granule& find(uint64_t granule);
  void grow();
  bool look(ThreadNumber thread, uint64_t name, uint8_t bytes, bool isWrite);

  uint64_t run_ = 0;
  bool foundMore_ = false;
  std::vector<Times> times_;
  std::vector<Entry> entries_;
  std::vector<Granule> granules_; ///< a hash table: open addressing, a power of two
  size_t used_ = 0;
};

} // namespace heddle::explore
