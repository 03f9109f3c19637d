#pragma once

#include "runtime/core/scheduler_state.h"
#include "runtime/memory/heap.h"

#include <string.h>

/// Small blocks and the fast path of malloc and free.
///
/// A size class owns spans: runs of pages cut into equal slots. A freed slot goes to the end of
/// its class's queue and is used again only while more than `delay` slots stand in the queue: the
/// free list is the quarantine. What is known about each slot is in the block table.
namespace heddle::rt {

inline constexpr uint32_t kPageShift = 12;
inline constexpr size_t kPageBytes = size_t{1} << kPageShift;
inline constexpr size_t kGranule = 16;
inline constexpr size_t kMaxSmallBytes = 32768;
inline constexpr uint32_t kMaxSpanPages = 16;
inline constexpr uint32_t kClassCount = 40;
inline constexpr size_t kPoisonBytes = 64;
inline constexpr unsigned char kPoison = 0xdb;

/// Sizes 16, 32 ... 128, then four steps for every doubling.
constexpr uint32_t classBytes(uint32_t index) {
  if (index < 8)
    return (index + 1) * 16;
  uint32_t octave = (index - 8) / 4;
  return (128u << octave) + ((index - 8) % 4 + 1) * (32u << octave);
}
static_assert(classBytes(kClassCount - 1) == kMaxSmallBytes);

/// Class by size in granules.
struct ClassTable {
  uint8_t index[kMaxSmallBytes / kGranule + 1];
  constexpr ClassTable() : index() {
    uint8_t current = 0;
    for (uint32_t granules = 0; granules <= kMaxSmallBytes / kGranule; ++granules) {
      while (classBytes(current) < granules * kGranule)
        ++current;
      index[granules] = current;
    }
  }
};
inline constexpr ClassTable kClassTable;

inline uint32_t classOf(size_t size) { return kClassTable.index[(size + kGranule - 1) / kGranule]; }

/// What is known about one small block.
struct BlockRecord {
  SiteId allocationSite;
  SiteId freeSite;
  uint16_t slack; ///< slot minus requested size
  uint16_t allocationThread;
  uint16_t freeThread;
  BlockState state;
  uint8_t generation; ///< tells the blocks apart that were here one after the other
};
static_assert(sizeof(BlockRecord) == 16, "reading and writing it is most of the cost of malloc");
inline constexpr uint16_t kNoThread = 0xffff;
static_assert(kMaxThreads < kNoThread);

enum class PageUse : uint8_t { None, Small, Large };

struct PageEntry {
  uint32_t reference; ///< Small: first record of the span; Large: first page of the block
  uint16_t pageInSpan;
  uint8_t sizeClass;
  PageUse use;
};
static_assert(sizeof(PageEntry) == 8);

inline PageEntry& pageEntry(uint64_t page) {
  return reinterpret_cast<PageEntry*>(kHeapPageTableBase)[page];
}
inline BlockRecord* blockRecords() { return reinterpret_cast<BlockRecord*>(kHeapBlockTableBase); }
inline uint64_t pageOf(uintptr_t address) { return (address - kHeapBase) >> kPageShift; }
inline uintptr_t pageAddress(uint64_t page) { return kHeapBase + (page << kPageShift); }

struct alignas(64) SizeClass {
  // Freed slots as granule numbers, oldest first: a ring in the queue table.
  uint32_t* queue;
  uint32_t first;
  uint32_t queued;
  uint32_t capacity; ///< 0 or a power of two
  uint32_t delay;
  // Slots of the newest span that were never used.
  uintptr_t fresh;
  BlockRecord* freshRecord;
  uint32_t freshSlots;
  uint32_t bytes;
  uint32_t reciprocal; ///< 2^32 / bytes, rounded up
  uint8_t freshIsZero;
  uint8_t spans;  ///< made so far, saturated: spans grow
  uint16_t index; ///< of the class
};
static_assert(sizeof(SizeClass) == 64);

enum HeapMode : uint32_t {
  kHeapInternal = 1, ///< an InternalAllocation exists
  kHeapLocked = 2,
  kHeapEvents = 4,
};

struct HeapState {
  uint32_t mode; ///< HeapMode bits; 0 is the fast path
  uint32_t internalDepth;
  uint64_t nextRecord; ///< first block record that was never used
  uintptr_t nextQueue; ///< first byte of the queue table that was never used
  uint64_t mostBytes;  ///< larger requests cannot be met by this machine
  intptr_t current;    ///< bytes from `classes` to those of the running thread (heap_threads.h)
  SizeClass classes[kClassCount];
};
extern __attribute__((visibility("hidden"))) HeapState heapState;

/// Where the running thread's blocks of this class come from, and where those that it frees go.
inline SizeClass& ownClass(uint32_t index) {
  auto pool = reinterpret_cast<intptr_t>(&heapState.classes[index]);
  return *reinterpret_cast<SizeClass*>(pool + heapState.current);
}

/// Who allocates or frees: the running thread, at its last call.
inline uint16_t callerThread() {
  const Fiber* fiber = scheduler.current;
  return __builtin_expect(fiber != nullptr, true) ? static_cast<uint16_t>(raw(fiber->view.index))
                                                  : kNoThread;
}
inline SiteId callerSite() {
  const Fiber* fiber = scheduler.current;
  return __builtin_expect(fiber != nullptr, true) ? fiber->callSite : SiteId::None;
}

/// Which slot of its span an address is in, and whether it is the slot's first byte.
struct SlotPosition {
  uint32_t slot;
  bool isBase;
};
inline SlotPosition slotOf(const PageEntry& page, uintptr_t address, uint32_t reciprocal) {
  uint64_t inSpan = (uint64_t{page.pageInSpan} << kPageShift) + (address & (kPageBytes - 1));
  // Spans are at most 2^16 and slots at most 2^15 bytes: the quotient is exact, and the fraction
  // is below one reciprocal when there is no remainder.
  uint64_t quotient = inSpan * reciprocal;
  return {static_cast<uint32_t>(quotient >> 32), static_cast<uint32_t>(quotient) < reciprocal};
}

inline BlockRecord* recordOf(const PageEntry& page, uint32_t slot) {
  return blockRecords() + page.reference + slot;
}

inline void markAllocated(BlockRecord* record, uint64_t slack) {
  record->allocationSite = callerSite();
  record->slack = static_cast<uint16_t>(slack);
  record->allocationThread = callerThread();
  record->state = BlockState::Allocated;
  ++record->generation;
}

inline void markFreed(BlockRecord* record) {
  record->freeSite = callerSite();
  record->freeThread = callerThread();
  record->state = BlockState::Freed;
}

inline uint32_t granuleOf(uintptr_t address) {
  return static_cast<uint32_t>((address - kHeapBase) / kGranule);
}
inline uintptr_t granuleAddress(uint32_t granule) {
  return kHeapBase + uint64_t{granule} * kGranule;
}

/// Takes the slot that was freed longest ago.
inline void* takeQueued(SizeClass& c, size_t size) {
  uintptr_t address = granuleAddress(c.queue[c.first & (c.capacity - 1)]);
  ++c.first;
  --c.queued;
  const PageEntry& page = pageEntry(pageOf(address));
  markAllocated(recordOf(page, slotOf(page, address, c.reciprocal).slot), c.bytes - size);
  return reinterpret_cast<void*>(address);
}

inline void* takeFresh(SizeClass& c, size_t size) {
  uintptr_t address = c.fresh;
  BlockRecord* record = c.freshRecord;
  c.fresh += c.bytes;
  ++c.freshRecord;
  --c.freshSlots;
  markAllocated(record, c.bytes - size);
  return reinterpret_cast<void*>(address);
}

/// Makes a span for the class; null when there is no memory.
void* takeFromNewSpan(SizeClass& c, size_t size);

inline void* allocateSmall(SizeClass& c, size_t size) {
  if (__builtin_expect(c.queued > c.delay, true))
    return takeQueued(c, size);
  if (__builtin_expect(c.freshSlots != 0, true))
    return takeFresh(c, size);
  return takeFromNewSpan(c, size);
}

/// Overwrites the first kPoisonBytes of a slot, which is a multiple of the granule. Written out,
/// because a call of memset would cost more than all of free.
inline void poison(uintptr_t block, size_t bytes) {
  using Granule = unsigned char __attribute__((vector_size(kGranule)));
  constexpr Granule pattern = Granule{} + kPoison;
  auto* granules = reinterpret_cast<Granule*>(block);
  granules[0] = pattern;
  if (bytes > kGranule)
    granules[1] = pattern;
  if (bytes > 2 * kGranule)
    granules[2] = pattern;
  if (bytes > 3 * kGranule)
    granules[3] = pattern;
}
static_assert(kPoisonBytes == 4 * kGranule);

/// Doubles the ring.
void growQueue(SizeClass& c);

/// Frees a small block if it is allocated and the ring of `c`, which is of its size, has room.
inline bool freeInto(SizeClass& c, const PageEntry& page, uintptr_t address) {
  SlotPosition position = slotOf(page, address, c.reciprocal);
  BlockRecord* record = recordOf(page, position.slot);
  if (__builtin_expect(!position.isBase || record->state != BlockState::Allocated ||
                           c.queued == c.capacity,
                       false))
    return false;
  markFreed(record);
  poison(address, c.bytes);
  c.queue[(c.first + c.queued) & (c.capacity - 1)] = granuleOf(address);
  ++c.queued;
  return true;
}

/// Frees the block if it is a small one and allocated, and its class's ring has room.
inline bool freeSmall(uintptr_t address) {
  const PageEntry& page = pageEntry(pageOf(address));
  if (__builtin_expect(page.use != PageUse::Small, false))
    return false;
  return freeInto(ownClass(page.sizeClass), page, address);
}

// The whole heap, after the fast path.
void* heapAllocate(size_t size);
/// Zeroed; `bytes` is already the product.
void* heapAllocateZeroed(size_t bytes);
/// `alignment` is a power of two.
void* heapAllocateAligned(size_t alignment, size_t size);
void heapFree(void* block);
void* heapReallocate(void* block, size_t size);
size_t heapUsableSize(const void* block);

// The runtime's own heap (heap_internal.cpp).
void prepareInternalHeap();
void* internalAllocate(size_t alignment, size_t size);
void internalFree(void* block);
size_t internalSize(const void* block);
inline bool inInternalHeap(const void* address) {
  return reinterpret_cast<uintptr_t>(address) - kInternalHeapBase < kInternalHeapBytes;
}
uintptr_t internalHeapEnd();

/// A block that cannot be freed: reports it, and returns only when it is to be ignored.
void reportInvalidFree(void* block);

} // namespace heddle::rt
