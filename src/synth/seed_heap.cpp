#include "synth/seed_heap.h"

namespace heddle::synth {

void SeedHeap::clear() {
  objects_.clear();
  blocks_.clear();
  cells_.clear();
}

void SeedHeap::addObject(HeapObject object) {
  if (object.size == 0)
    object.size = types_[object.type].size;
  forget(object.begin, object.size);
  auto first = objects_.lower_bound(object.begin);
  auto last = objects_.lower_bound(object.begin + object.size);
  objects_.erase(first, last);
  objects_[object.begin] = object;
}

void SeedHeap::free(Address address) {
  if (auto found = objects_.find(address); found != objects_.end()) {
    forget(address, found->second.size);
    objects_.erase(found);
  }
  blocks_.erase(address);
}

void SeedHeap::adopt(Address block, uint64_t size, Address owner) {
  objects_.erase(block);
  blocks_[block] = {block, size, owner};
}

void SeedHeap::forget(Address begin, uint64_t size) {
  cells_.erase(cells_.lower_bound(begin), cells_.lower_bound(begin + size));
}

std::optional<HeapObject> SeedHeap::objectAt(Address address) const {
  auto next = objects_.upper_bound(address);
  if (next == objects_.begin())
    return std::nullopt;
  const HeapObject& object = std::prev(next)->second;
  if (raw(address) < raw(object.begin) + object.size)
    return object;
  return std::nullopt;
}

std::optional<Address> SeedHeap::load(Address cell) const {
  auto found = cells_.find(cell);
  return found == cells_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::pair<Address, Address>> SeedHeap::cellsIn(Address begin, uint64_t size) const {
  return {cells_.lower_bound(begin), cells_.lower_bound(begin + size)};
}

std::optional<SeedHeap::Block> SeedHeap::blockAt(Address address) const {
  auto next = blocks_.upper_bound(address);
  if (next == blocks_.begin())
    return std::nullopt;
  const Block& block = std::prev(next)->second;
  if (raw(address) < raw(block.begin) + block.size)
    return block;
  return std::nullopt;
}

std::vector<SeedHeap::Block> SeedHeap::blocksOf(Address begin, uint64_t size) const {
  std::vector<Block> found;
  for (const auto& [address, block] : blocks_)
    if (begin <= block.owner && block.owner < begin + size)
      found.push_back(block);
  return found;
}

} // namespace heddle::synth
