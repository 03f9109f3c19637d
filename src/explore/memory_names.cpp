#include "memory_names.h"

#include <algorithm>

namespace heddle::explore {

namespace {

/// Offsets in a block take the lower bits of a name, the number of the allocation and the thread
/// the upper ones, which no address of a program has.
constexpr unsigned kOffsetBits = 28;
constexpr unsigned kThreadShift = 50;
constexpr uint64_t kHeapName = uint64_t{1} << 63;

} // namespace

void MemoryNames::allocate(ThreadNumber thread, uint64_t address, uint64_t bytes) {
  uint64_t end = address + (bytes == 0 ? 1 : bytes);
  for (auto at = blocks_.upper_bound(address); at != blocks_.end() && at->second.begin < end;)
    at = blocks_.erase(at);
  uint64_t number = ++allocations_[thread];
  uint64_t name = kHeapName | uint64_t{thread} << kThreadShift | number << kOffsetBits;
  blocks_[end] = {address, end, name};
  lowest_ = std::min(lowest_, address);
  highest_ = std::max(highest_, end);
  last_ = {};
}

uint64_t MemoryNames::free(uint64_t address) { return find(address).block; }

MemoryNames::Place MemoryNames::find(uint64_t address) const {
  if (address < lowest_ || address >= highest_)
    return {address, 0};
  if (address - last_.begin >= last_.end - last_.begin) {
    auto found = blocks_.upper_bound(address);
    if (found == blocks_.end() || address < found->second.begin)
      return {address, 0};
    last_ = found->second;
  }
  return {last_.name + (address - last_.begin), last_.name};
}

} // namespace heddle::explore
