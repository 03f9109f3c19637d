#pragma once

#include "model/ids.h"
#include "predict/lock_sets.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace heddle {

/// An access to some bytes of a cell. Of accesses that differ in time only the last one is kept:
/// what is not ordered before a later event after the last one, is not after the earlier one
/// either.
struct AccessRecord {
  SiteId site = SiteId::None;
  SiteId caller = SiteId::None; ///< of library code
  LockSetId locks = LockSetId::Empty;
  uint32_t thread = 0;
  uint32_t mustTime = 0; ///< of SyncOrder
  uint32_t seenTime = 0;
  uint32_t occurrence = 0; ///< of the thread at this site and caller, from 1
  uint32_t checked = 0;    ///< Cell::generation when it was last compared with the others
  uint64_t settled = 0;    ///< records of the cell, by index, of which nothing can be learned
  uint64_t predicted = 0;  ///< those with which a pair was found, in some order
  uint8_t bytes = 0;       ///< of the cell, a bit for each
  bool write = false;
  bool atomic = false;
  bool assembly = false;    ///< by inline assembly
  uint32_t unseenCalls = 0; ///< that the thread had made before it

  bool sameExceptTime(const AccessRecord& other) const {
    return site == other.site && caller == other.caller && thread == other.thread &&
           locks == other.locks && bytes == other.bytes && write == other.write &&
           atomic == other.atomic;
  }
};

/// Eight bytes of memory with what is remembered of their accesses.
struct Cell {
  static constexpr size_t kMaxRecords = 64; ///< beyond it the oldest go; bits of a word

  /// Adds a record and forgets the oldest one if there is no more place; the index of the new one.
  size_t add(const AccessRecord& record);

  std::vector<AccessRecord> records;
  uint32_t generation = 1; ///< grows when a record is added or its time changes
};

/// Cells by address; made when they are asked for.
class ShadowMemory {
public:
  static constexpr uint64_t kCellBytes = 8;

  Cell& cell(uint64_t address);
  /// Forgets what is known of these bytes' cells, as far as they lie in the range as a whole.
  void forget(uint64_t address, uint64_t bytes);
  /// Calls visit(cell, address) for the whole cells in the range that were asked for, in order.
  template <typename Visit> void forEachKnown(uint64_t begin, uint64_t end, Visit visit);
  /// Cells of the range that are made later begin with this record, until it is forgotten.
  void cover(uint64_t begin, uint64_t end, const AccessRecord& record);

private:
  static constexpr uint64_t kPageBytes = 4096;
  using Page = std::array<uint32_t, kPageBytes / kCellBytes>; ///< cell numbers, 0: none yet

  /// What all of a range has in common.
  struct Cover {
    uint64_t end = 0;
    AccessRecord record;
  };

  Page& page(uint64_t address);
  /// Null: nobody has asked for it.
  Page* knownPage(uint64_t number) const;
  /// Numbers of the pages in [first, last) that were asked for, in order: of large ranges, of which
  /// most were not.
  std::vector<uint64_t> knownPages(uint64_t first, uint64_t last) const;
  template <typename Visit>
  void forEachInPage(uint64_t number, uint64_t begin, uint64_t end, Visit visit);
  void uncover(uint64_t begin, uint64_t end);

  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
  uint64_t lastNumber_ = ~uint64_t{0};
  Page* lastPage_ = nullptr;
  std::deque<Cell> cells_{1};
  std::map<uint64_t, Cover> covers_; ///< by their beginning; they do not overlap
};

template <typename Visit>
void ShadowMemory::forEachInPage(uint64_t number, uint64_t begin, uint64_t end, Visit visit) {
  Page* page = knownPage(number);
  if (!page)
    return;
  uint64_t base = number * kPageBytes;
  uint64_t from = begin <= base ? 0 : (begin - base + kCellBytes - 1) / kCellBytes;
  uint64_t to = end - base >= kPageBytes ? page->size() : (end - base) / kCellBytes;
  for (uint64_t i = from; i < to; ++i)
    if ((*page)[i] != 0)
      visit(cells_[(*page)[i]], base + i * kCellBytes);
}

template <typename Visit>
void ShadowMemory::forEachKnown(uint64_t begin, uint64_t end, Visit visit) {
  uint64_t first = begin / kPageBytes;
  uint64_t last = (end + kPageBytes - 1) / kPageBytes;
  if (last - first > pages_.size())
    for (uint64_t number : knownPages(first, last))
      forEachInPage(number, begin, end, visit);
  else
    for (uint64_t number = first; number < last; ++number)
      forEachInPage(number, begin, end, visit);
}

} // namespace heddle
