#pragma once

#include "runtime/memory/heap_blocks.h"

/// Pages of the heap: who gives them out, and the blocks that are whole pages.
///
/// Free pages form runs; neighbours are merged at once. Runs stand in bins by length, newest
/// first. Pages above the highest that was ever used are zero and come last.
namespace heddle::rt {

/// One per page of the heap; only those of a run's or block's ends are ever written.
struct RunRecord {
  // The large block that begins here. Still readable after it was freed.
  uint64_t size;
  SiteId allocationSite;
  SiteId freeSite;
  uint32_t blockPages; ///< also of the span of small blocks that begins here
  uint16_t allocationThread;
  uint16_t freeThread;
  BlockState state;
  uint8_t generation; ///< as in BlockRecord
  // The free run that begins or ends here.
  bool isFreeRun;
  bool isZero;       ///< nobody wrote to the run's pages since the kernel gave them
  uint32_t runPages; ///< at its first page
  uint32_t runFirst; ///< at its last page
  uint32_t previous; ///< in the bin, by first page; 0: none
  uint32_t next;
  uint32_t freeSlots; ///< of a span, while reclaim counts them
};

inline RunRecord& runRecord(uint64_t page) {
  return reinterpret_cast<RunRecord*>(kHeapRunTableBase)[page];
}

/// The first pages of the heap are those of threads (heap_threads.h), the rest is the pool.
inline constexpr uint64_t kThreadPages = 1 << 22;
inline constexpr uintptr_t kPoolBase = kHeapBase + (kThreadPages << kPageShift);
inline constexpr uintptr_t kPoolPageTable = kHeapPageTableBase + kThreadPages * sizeof(PageEntry);
inline constexpr uintptr_t kPoolRunTable = kHeapRunTableBase + kThreadPages * sizeof(RunRecord);

inline bool isThreadPage(uint64_t page) { return page < kThreadPages; }

struct PageRun {
  uint64_t first = 0; ///< 0: no memory; page 0 is never given out
  uint64_t pages = 0;
  bool isZero = false;
};

/// Maps heap and tables; called before the first page is given out.
void initializeHeap();
bool heapReady();

PageRun takePages(uint64_t pages);
/// The same with the first page on a multiple of `alignment` pages, a power of two.
PageRun takeAlignedPages(uint64_t pages, uint64_t alignment);
void returnPages(uint64_t first, uint64_t pages, bool isZero);
/// Takes exactly the `pages` pages from `first` on if they are free.
bool takePagesAt(uint64_t first, uint64_t pages);
/// Makes the pages zero; of many pages only those that were touched cost anything.
void zeroPages(uint64_t first, uint64_t pages);
/// First page that was never given out.
uint64_t pagesEnd();

/// Blocks of so many pages have no entry for each of them (heap_huge.cpp).
inline constexpr uint64_t kHugePages = 4096;
/// A block of at least kHugePages begins or changes its length. False: there are too many, and its
/// pages need entries.
bool keepHuge(uint64_t first, uint64_t pages);
/// The first page of the huge block that the page belongs to, also after it was freed; or 0.
uint64_t hugeBlockAt(uint64_t page);
/// The pages are given out again: what was freed there is no more.
void forgetHuge(uint64_t first, uint64_t pages);
/// Copies what was touched; the rest of `to` is zero.
void copyTouched(void* to, const void* from, size_t bytes);

/// Blocks of whole pages (heap_large.cpp).
/// Blocks begin at a page, so any alignment up to a page is met.
void* allocateLarge(size_t size, size_t alignment, bool zeroed);
void releaseLarge(uint64_t page);
/// Resizes without moving if that is possible.
bool resizeLarge(uint64_t page, size_t size);
/// The first page of the large block that the page belongs to, or 0.
uint64_t largeBlockAt(uint64_t page);

// Spans of small blocks (heap_allocate.cpp).
/// Sets up the classes of a heap that has none of its blocks yet.
void initializeClasses(SizeClass* classes);
uint32_t nextSpanPages(const SizeClass& c);
/// Cuts the pages, nextSpanPages(c) of them, into slots. False: there are no records left.
bool addSpan(SizeClass& c, const PageRun& run);

} // namespace heddle::rt
