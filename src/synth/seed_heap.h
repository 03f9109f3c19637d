#pragma once

#include "synth/seed_trace.h"

#include <map>
#include <optional>
#include <vector>

namespace heddle::synth {

/// A complete object that the trace told of.
struct HeapObject {
  Address begin = Address::Null;
  uint64_t size = 0;
  TypeId type = TypeId::None;
};

/// What lies in memory while a sequential test runs: objects, and the pointers in them. Survives
/// from call to call.
class SeedHeap {
public:
  explicit SeedHeap(const TypeTable& types) : types_(types) {}

  void clear();
  /// New memory: whatever was there is gone.
  void addObject(HeapObject object);
  void free(Address address);
  void adopt(Address block, uint64_t size, Address owner);
  void store(Address cell, Address value) { cells_[cell] = value; }
  /// Bytes that no longer hold a pointer.
  void forget(Address begin, uint64_t size);

  std::optional<HeapObject> objectAt(Address address) const;
  std::optional<Address> load(Address cell) const;
  /// The pointers in these bytes, by address.
  std::vector<std::pair<Address, Address>> cellsIn(Address begin, uint64_t size) const;

  struct Block {
    Address begin;
    uint64_t size;
    Address owner; ///< the container that it belongs to
  };
  std::optional<Block> blockAt(Address address) const;
  /// The blocks that belong to a container in these bytes.
  std::vector<Block> blocksOf(Address begin, uint64_t size) const;

private:
  const TypeTable& types_;
  std::map<Address, HeapObject> objects_;
  std::map<Address, Block> blocks_;
  std::map<Address, Address> cells_;
};

} // namespace heddle::synth
