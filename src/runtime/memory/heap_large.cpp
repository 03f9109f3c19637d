#include "runtime/memory/heap_pages.h"
#include "runtime/memory/heap_threads.h"

/// Blocks larger than any size class: whole pages, with their record in the run table. A freed
/// one waits in a short queue before its pages are used again.
namespace heddle::rt {

namespace {

constexpr uint32_t kQueueLength = 16;
constexpr uint64_t kQueuePages = 512; ///< larger blocks are released at once

struct LargeQueue {
  uint32_t first;
  uint32_t count;
  uint64_t pages;
  uint32_t blocks[kQueueLength];
};
LargeQueue queue;

/// Tells the pages in [from, end) that they belong to the block at `first`.
void fillEntries(uint64_t first, uint64_t from, uint64_t end) {
  if (end - first >= kHugePages && keepHuge(first, end - first)) {
    pageEntry(first) = {static_cast<uint32_t>(first), 0, 0, PageUse::Large};
    return;
  }
  for (uint64_t page = from; page < end; ++page)
    pageEntry(page) = {static_cast<uint32_t>(first), 0, 0, PageUse::Large};
}

uint64_t pagesFor(size_t bytes) { return bytes == 0 ? 1 : (bytes + kPageBytes - 1) >> kPageShift; }

void releaseOldest() {
  uint64_t page = queue.blocks[queue.first];
  queue.first = (queue.first + 1) % kQueueLength;
  --queue.count;
  queue.pages -= runRecord(page).blockPages;
  returnPages(page, runRecord(page).blockPages, false);
}

} // namespace

void* allocateLarge(size_t size, size_t alignment, bool zeroed) {
  if (size > heapState.mostBytes || alignment > kHeapBytes)
    return nullptr;
  uint64_t pages = pagesFor(size);
  PageRun run = takeLargePages(pages, alignment >> kPageShift);
  if (run.first == 0)
    return nullptr;
  RunRecord& record = runRecord(run.first);
  record.size = size;
  record.allocationSite = callerSite();
  record.freeSite = SiteId::None;
  record.blockPages = static_cast<uint32_t>(pages);
  record.allocationThread = callerThread();
  record.state = BlockState::Allocated;
  ++record.generation;
  fillEntries(run.first, run.first, run.first + pages);
  auto* block = reinterpret_cast<void*>(pageAddress(run.first));
  if (zeroed && !run.isZero)
    zeroPages(run.first, pages);
  return block;
}

void releaseLarge(uint64_t page) {
  RunRecord& record = runRecord(page);
  record.state = BlockState::Freed;
  record.freeSite = callerSite();
  record.freeThread = callerThread();
  poison(pageAddress(page), kPageBytes);
  if (keepsFreedPages(page, record.blockPages))
    return;
  if (record.blockPages > kQueuePages) {
    returnPages(page, record.blockPages, false);
    return;
  }
  while (queue.count == kQueueLength || queue.pages + record.blockPages > kQueuePages)
    releaseOldest();
  queue.blocks[(queue.first + queue.count++) % kQueueLength] = static_cast<uint32_t>(page);
  queue.pages += record.blockPages;
}

bool resizeLarge(uint64_t page, size_t size) {
  RunRecord& record = runRecord(page);
  uint64_t pages = pagesFor(size);
  if (size > heapState.mostBytes)
    return false;
  if (hasFixedPages(page)) {
    if (pages > record.blockPages)
      return false;
    record.size = size;
    return true;
  }
  if (pages > record.blockPages) {
    if (!takePagesAt(page + record.blockPages, pages - record.blockPages))
      return false;
    fillEntries(page, page + record.blockPages, page + pages);
  } else if (pages < record.blockPages) {
    if (hugeBlockAt(page) == page)
      keepHuge(page, pages);
    returnPages(page + pages, record.blockPages - pages, false);
  }
  record.blockPages = static_cast<uint32_t>(pages);
  record.size = size;
  return true;
}

uint64_t largeBlockAt(uint64_t page) {
  if (uint64_t huge = hugeBlockAt(page))
    return huge;
  uint64_t first = pageEntry(page).reference;
  // Entries of pages that were freed and merged are left as they were: ask the block itself.
  const PageEntry& entry = pageEntry(first);
  bool covers = entry.use == PageUse::Large && entry.reference == first &&
                page < first + runRecord(first).blockPages;
  return covers ? first : 0;
}

} // namespace heddle::rt
