#include "runtime/core/occurrence.h"

#include "runtime/base/arena.h"

namespace heddle::rt {

namespace {

struct Slot {
  uint64_t key; ///< 0 is empty
  uint64_t count;
};

// Starts with one page: short runs dirty no more, and a page is what a restore copies.
Slot* slots = nullptr;
uint32_t capacity = 0;
uint32_t used = 0;

Slot* find(Slot* table, uint32_t size, uint64_t key) {
  auto i = static_cast<uint32_t>(mix(0, key) >> 32) & (size - 1);
  while (table[i].key != 0 && table[i].key != key)
    i = (i + 1) & (size - 1);
  return &table[i];
}

void grow() {
  uint32_t size = capacity == 0 ? 256 : capacity * 2;
  auto* table = static_cast<Slot*>(runAllocate(size * sizeof(Slot)));
  for (uint32_t i = 0; i < capacity; ++i)
    if (slots[i].key != 0)
      *find(table, size, slots[i].key) = slots[i];
  slots = table;
  capacity = size;
}

} // namespace

Occurrence countOccurrence(ThreadIndex thread, SiteId site) {
  if (used * 4 >= capacity * 3)
    grow();
  uint64_t key = (uint64_t{raw(thread)} + 1) << 32 | raw(site);
  Slot* slot = find(slots, capacity, key);
  bool first = slot->key == 0;
  if (first) {
    slot->key = key;
    ++used;
  }
  return {static_cast<uint32_t>(++slot->count), first};
}

} // namespace heddle::rt
