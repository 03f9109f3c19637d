#include "runtime/memory/heap_threads.h"

#include "runtime/base/persistent.h"
#include "runtime/core/scheduler_state.h"

namespace heddle::rt {

namespace {

/// Pages are set aside in rows: in each row every slot has a chunk, in the next one a larger one.
constexpr uint32_t kSlots = 512;
constexpr uint32_t kRows = 5;
constexpr uint64_t kFirstChunk = 16; ///< pages
/// Threads that main makes, up to this one, have the slot of their number. Others share the rest,
/// by their path.
constexpr uint32_t kNumbered = 256;

constexpr uint64_t chunkPages(uint32_t row) { return kFirstChunk << (2 * row); }
constexpr uint64_t rowBegin(uint32_t row) {
  uint64_t begin = 0;
  for (uint32_t i = 0; i < row; ++i)
    begin += kSlots * chunkPages(i);
  return begin;
}
static_assert(rowBegin(kRows) <= kThreadPages);

/// Blocks that a thread without a heap may free before it gets one: they are not used again.
constexpr uint32_t kMaxDropped = 1024;
/// Bytes of one class that wait to be used again; what is freed beyond goes to the pool.
constexpr uint64_t kMaxQueuedBytes = 1 << 20;
constexpr uint32_t kMaxFreedRuns = 16;
constexpr uint32_t kMinFreedRuns = 8; ///< wait before the oldest is used again

struct FreedRun {
  uint64_t first;
  uint64_t pages;
};

struct ThreadHeap {
  SizeClass classes[kClassCount]; ///< must be first: Fiber::heap is the distance to them
  ThreadPath owner;
  uint32_t slot;
  uint32_t row;
  uint64_t used; ///< pages of the row's chunk
  FreedRun freed[kMaxFreedRuns];
  uint32_t freedCount;
};

ThreadHeap* heaps[kSlots];
uint64_t pagesUsed = 0;
/// What threads have that have no heap yet: nothing to take, no room for what is freed.
SizeClass nobodys[kClassCount];
/// Takes what is freed and not used again.
SizeClass dropped;
uint32_t droppedBlock;

bool isNobodys(const SizeClass& c) { return &c >= nobodys && &c < nobodys + kClassCount; }

intptr_t distanceTo(const SizeClass* classes) {
  return reinterpret_cast<intptr_t>(classes) - reinterpret_cast<intptr_t>(heapState.classes);
}

/// From here on addresses depend on the order of threads.
void noteSharedHeap() { persistent().result.flags |= kResultUnordered; }

uint32_t slotOf(const Fiber* fiber) {
  if (fiber->parent && fiber->parent->view.path == ThreadPath::Main && fiber->ordinal < kNumbered)
    return fiber->ordinal;
  return kNumbered + static_cast<uint32_t>(raw(fiber->view.path) % (kSlots - kNumbered));
}

ThreadHeap& makeHeap() {
  Fiber* fiber = scheduler.current;
  ThreadHeap*& heap = heaps[slotOf(fiber)];
  if (!heap) {
    heap = static_cast<ThreadHeap*>(runAllocate(sizeof(ThreadHeap)));
    memcpy(heap->classes, nobodys, sizeof nobodys);
    heap->owner = fiber->view.path;
    heap->slot = slotOf(fiber);
  } else if (heap->owner != fiber->view.path) {
    noteSharedHeap();
  }
  fiber->heap = distanceTo(heap->classes);
  useHeapOf(fiber);
  return *heap;
}

/// Of the running thread, which is not the main one.
ThreadHeap& ownHeap() {
  if (isNobodys(ownClass(0)))
    return makeHeap();
  return *reinterpret_cast<ThreadHeap*>(&ownClass(0));
}

/// In the chunk of the row, or in one of a later row.
PageRun takeThreadPages(ThreadHeap& heap, uint64_t pages, uint64_t alignment) {
  for (uint32_t row = heap.row; row < kRows; ++row) {
    uint64_t begin = rowBegin(row) + heap.slot * chunkPages(row);
    uint64_t from = begin + (row == heap.row ? heap.used : 0);
    uint64_t first = (from + alignment - 1) & ~(alignment - 1);
    if (first + pages > begin + chunkPages(row))
      continue;
    heap.row = row;
    heap.used = first + pages - begin;
    pagesUsed = first + pages > pagesUsed ? first + pages : pagesUsed;
    return {first, pages, true};
  }
  return {};
}

/// The oldest of this length, if enough others wait.
PageRun takeFreedRun(ThreadHeap& heap, uint64_t pages, uint64_t alignment) {
  if (heap.freedCount <= kMinFreedRuns)
    return {};
  for (uint32_t i = 0; i < heap.freedCount; ++i) {
    FreedRun run = heap.freed[i];
    if (run.pages != pages || run.first % alignment != 0)
      continue;
    --heap.freedCount;
    memmove(heap.freed + i, heap.freed + i + 1, (heap.freedCount - i) * sizeof(FreedRun));
    return {run.first, run.pages, false};
  }
  return {};
}

void dropOldest(ThreadHeap& heap) {
  FreedRun run = heap.freed[0];
  --heap.freedCount;
  memmove(heap.freed, heap.freed + 1, heap.freedCount * sizeof(FreedRun));
  if (isThreadPage(run.first))
    return;
  noteSharedHeap();
  returnPages(run.first, run.pages, false);
}

} // namespace

uint64_t threadPagesEnd() { return pagesUsed; }

void prepareThreadHeaps() { initializeClasses(nobodys); }

void giveHeap(Fiber* fiber) { fiber->heap = distanceTo(nobodys); }

void* takeFromThreadSpan(SizeClass& c, size_t size) {
  if (isNobodys(c))
    return allocateSmall(makeHeap().classes[c.index], size);
  PageRun run = takeThreadPages(ownHeap(), nextSpanPages(c), 1);
  if (run.first != 0 && addSpan(c, run))
    return takeFresh(c, size);
  c.freshIsZero = 0;
  noteSharedHeap();
  return allocateSmall(heapState.classes[c.index], size);
}

SizeClass& roomForFreed(SizeClass& c) {
  if (c.queued != c.capacity)
    return c;
  if (isNobodys(c)) {
    if (scheduler.current->droppedBlocks++ >= kMaxDropped)
      return roomForFreed(makeHeap().classes[c.index]);
    dropped = c;
    dropped.queue = &droppedBlock;
    dropped.capacity = 1;
    return dropped;
  }
  SizeClass& pool = heapState.classes[c.index];
  if (&c != &pool && uint64_t{c.queued} * c.bytes >= kMaxQueuedBytes) {
    noteSharedHeap();
    return roomForFreed(pool);
  }
  growQueue(c);
  return c;
}

PageRun takeLargePages(uint64_t pages, uint64_t alignment) {
  if (heapState.current == 0)
    return takeAlignedPages(pages, alignment);
  ThreadHeap& heap = ownHeap();
  uint64_t unit = alignment > 1 ? alignment : 1;
  if (PageRun run = takeFreedRun(heap, pages, unit); run.first != 0)
    return run;
  if (pages < kHugePages)
    if (PageRun run = takeThreadPages(heap, pages, unit); run.first != 0)
      return run;
  noteSharedHeap();
  return takeAlignedPages(pages, alignment);
}

bool keepsFreedPages(uint64_t first, uint64_t pages) {
  if (heapState.current == 0)
    return isThreadPage(first); // they are not the pool's
  if (pages >= kHugePages) {
    noteSharedHeap();
    return false;
  }
  ThreadHeap& heap = ownHeap();
  if (heap.freedCount == kMaxFreedRuns)
    dropOldest(heap);
  heap.freed[heap.freedCount++] = {first, pages};
  return true;
}

void forEachThreadRange(HeapRangeVisit visit) {
  for (const ThreadHeap* heap : heaps)
    for (uint32_t row = 0; heap && row <= heap->row; ++row) {
      uint64_t begin = rowBegin(row) + heap->slot * chunkPages(row);
      uint64_t pages = row == heap->row ? heap->used : chunkPages(row);
      visit(pageAddress(begin), pageAddress(begin + pages));
    }
}

} // namespace heddle::rt
