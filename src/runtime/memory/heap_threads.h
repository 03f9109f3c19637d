#pragma once

#include "runtime/core/fiber.h"
#include "runtime/memory/heap_pages.h"

/// Heaps of threads. Which address a thread gets must not depend on what other threads do: the
/// order of their allocations is in no schedule, and programs compare, hash and sort addresses.
///
/// The main thread has the pool. Every other thread has a heap of its own from its first
/// allocation on, with pages that are set aside for its path of creation. A block that a thread
/// frees goes to its own queues, whoever allocated it: so what malloc returns is a function of
/// what the thread itself did and was given.
///
/// Pages that are set aside are few. A thread that needs more of them, or frees much that others
/// allocated, uses the pool after that, and the run says so (kResultUnordered).
namespace heddle::rt {

/// First page of theirs that was never given out.
uint64_t threadPagesEnd();

/// A thread other than the main one begins: it has a heap of its own, when it comes to need it.
void giveHeap(Fiber* fiber);
/// The fiber runs from here on.
inline void useHeapOf(const Fiber* fiber) { heapState.current = fiber->heap; }

/// For heaps of threads what takeFromNewSpan is.
void* takeFromThreadSpan(SizeClass& c, size_t size);
/// The class to put a freed block in: `c`, the running thread's own, if it has room.
SizeClass& roomForFreed(SizeClass& c);
/// Pages for a large block of the running thread.
PageRun takeLargePages(uint64_t pages, uint64_t alignment);
/// Whether the running thread keeps the pages of a large block that it has freed.
bool keepsFreedPages(uint64_t first, uint64_t pages);
/// Whether the length of the large block at `page` is fixed for the running thread.
inline bool hasFixedPages(uint64_t page) { return heapState.current != 0 || isThreadPage(page); }

void prepareThreadHeaps();

/// What the heaps of threads have used of their pages.
using HeapRangeVisit = void (*)(uintptr_t begin, uintptr_t end);
void forEachThreadRange(HeapRangeVisit visit);

} // namespace heddle::rt
