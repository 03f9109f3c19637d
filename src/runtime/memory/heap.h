#pragma once

#include "model/event.h"
#include "runtime/base/arena.h"

#include <stddef.h>
#include <stdint.h>

/// The program's malloc. It replaces libc's for three reasons: addresses are a function of the
/// sequence of calls alone, so that a schedule replays; a freed block stays recognizable, so that
/// a use after free is seen; and everything it knows lies in few pages, so that a run is rewound
/// quickly. docs/engine-memory.md has the layout.
///
/// One OS thread runs the whole program: there is no lock, except after useHeapLock().
namespace heddle::rt {

struct Fiber;

/// Bookkeeping lies beside the heap and never in it: a wild write by the program reaches blocks.
inline constexpr uintptr_t kHeapPageTableBase = kHeapTablesBase; ///< what each page is used for
inline constexpr uintptr_t kHeapRunTableBase = kHeapPageTableBase + 0x10000000; ///< large blocks
inline constexpr uintptr_t kHeapQueueBase = kHeapRunTableBase + 0x60000000; ///< freed small blocks
inline constexpr uintptr_t kHeapBlockTableBase = kHeapQueueBase + 0x800000000; ///< small blocks
inline constexpr uintptr_t kHeapTablesEnd = kHeapBlockTableBase + 0x1000000000;
static_assert(kHeapTablesEnd <= kHeapBase);

enum class BlockState : uint8_t { Unused, Allocated, Freed };

/// What is known about a block, also after it was freed and until its memory is used again.
struct HeapBlock {
  uintptr_t base = 0; ///< 0: the address is in no block
  size_t size = 0;    ///< as requested
  BlockState state = BlockState::Unused;
  uint8_t generation = 0; ///< changes when the memory is given out again
  SiteId allocationSite = SiteId::None;
  SiteId freeSite = SiteId::None;
  ThreadIndex allocationThread = ThreadIndex::None;
  ThreadIndex freeThread = ThreadIndex::None;
};

/// The block in which the address lies; slack between the requested size and the next block
/// counts as inside, so compare with `size`.
HeapBlock heapBlockOf(const void* address);

/// Whether it is on the stack of a thread.
inline bool inStacks(const void* address) {
  auto at = reinterpret_cast<uintptr_t>(address);
  return at - kMainStackBase < kMainStackBytes || at - kStackBase < kStackEnd - kStackBase;
}

inline bool inHeap(const void* address) {
  return reinterpret_cast<uintptr_t>(address) - kHeapBase < kHeapBytes;
}

/// Fails the run when the access touches a freed block or lies beyond the end of an allocated one;
/// `address` is in the heap. See access_check.h.
void checkHeapAccess(const void* address, size_t size, bool isWrite, SiteId site);
/// The same for a sync object in memory that is not allocated.
void checkHeapObject(const void* object, EventKind kind, SiteId site);

/// Who is told what the running fiber allocates and frees (no scheduling points: libc holds its own
/// locks around some of it); null: nobody.
using HeapEventSink = void (*)(Fiber*, EventKind, const void* block, uint64_t size);
void setHeapEvents(HeapEventSink sink);
/// Whether they are, here and now.
bool tellsHeapEvents();

/// Maps everything that the heap will ever need; at start, so that no run changes the mappings.
/// malloc works before this too.
void prepareHeap();

/// Real threads will exist (a child of the program's own fork() creates one): from here on every
/// call takes a lock.
void useHeapLock();

/// Memory ranges that the heap has touched so far, for snapshots: what lies above the end of a
/// range is still zero and must be zero again after a rewind.
struct HeapRange {
  uintptr_t base;
  size_t bytes;
};
inline constexpr uint32_t kHeapRanges = 9;
inline constexpr uint32_t kPoolRange = 0;   ///< of these: blocks of the pool,
inline constexpr uint32_t kThreadRange = 6; ///< of threads (heap_threads.h), with gaps
/// Fills in `ranges`; a range may be empty.
void heapRanges(HeapRange (&ranges)[kHeapRanges]);

/// While one of these exists malloc serves libc on the runtime's behalf, from a heap of its own:
/// what the runtime does moves no address of the program. free() and realloc() look at the
/// address and need no guard.
class InternalAllocation {
public:
  InternalAllocation();
  ~InternalAllocation();
  InternalAllocation(const InternalAllocation&) = delete;
  InternalAllocation& operator=(const InternalAllocation&) = delete;
};

} // namespace heddle::rt
