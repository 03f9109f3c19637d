#include "runtime/memory/heap_pages.h"

#include "runtime/base/persistent.h"
#include "runtime/base/raw_syscall.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>

namespace heddle::rt {

namespace {

constexpr uint64_t kHeapPages = kHeapBytes >> kPageShift;
constexpr uint32_t kBinCount = 104; ///< four for every doubling, up to 2^25 pages
constexpr uint32_t kBinSearch = 16; ///< entries looked at in the bin of the exact length
/// Free pages that may keep their contents; beyond this they are given back to the kernel.
constexpr uint64_t kMaxDirtyPages = 16384;
constexpr uint64_t kMaxDirtyInPlace = 1 << 18;
constexpr uint64_t kMinReturnedPages = 16;

struct PageState {
  bool ready;
  uint64_t end; ///< first page that was never given out
  uint64_t dirtyPages;
  uint64_t binBits[2]; ///< bins that are not empty
  uint32_t bins[kBinCount];
};
PageState pageState;

/// The bin in which a run of this length stands.
uint32_t binOf(uint64_t pages) {
  if (pages < 4)
    return static_cast<uint32_t>(pages);
  auto top = 63u - static_cast<uint32_t>(__builtin_clzll(pages));
  return top * 4 - 4 + static_cast<uint32_t>(pages >> (top - 2) & 3);
}

void link(uint64_t first) {
  uint32_t bin = binOf(runRecord(first).runPages);
  uint32_t head = pageState.bins[bin];
  runRecord(first).previous = 0;
  runRecord(first).next = head;
  if (head)
    runRecord(head).previous = static_cast<uint32_t>(first);
  pageState.bins[bin] = static_cast<uint32_t>(first);
  pageState.binBits[bin / 64] |= 1ull << (bin % 64);
}

void unlink(uint64_t first) {
  RunRecord& run = runRecord(first);
  uint32_t bin = binOf(run.runPages);
  if (run.previous)
    runRecord(run.previous).next = run.next;
  else
    pageState.bins[bin] = run.next;
  if (run.next)
    runRecord(run.next).previous = run.previous;
  if (pageState.bins[bin] == 0)
    pageState.binBits[bin / 64] &= ~(1ull << (bin % 64));
}

void insertRun(uint64_t first, uint64_t pages, bool isZero) {
  RunRecord& run = runRecord(first);
  run.isFreeRun = true;
  run.isZero = isZero;
  run.runPages = static_cast<uint32_t>(pages);
  RunRecord& last = runRecord(first + pages - 1);
  last.isFreeRun = true;
  last.runFirst = static_cast<uint32_t>(first);
  if (!isZero)
    pageState.dirtyPages += pages;
  link(first);
}

PageRun removeRun(uint64_t first) {
  RunRecord& run = runRecord(first);
  PageRun result{first, run.runPages, run.isZero};
  unlink(first);
  run.isFreeRun = false;
  runRecord(first + result.pages - 1).isFreeRun = false;
  if (!result.isZero)
    pageState.dirtyPages -= result.pages;
  return result;
}

/// A free run of at least this length; 0 if there is none.
uint64_t findRun(uint64_t pages) {
  uint32_t bin = binOf(pages);
  uint32_t tries = 0;
  for (uint32_t run = pageState.bins[bin]; run && tries < kBinSearch; run = runRecord(run).next) {
    if (runRecord(run).runPages >= pages)
      return run;
    ++tries;
  }
  for (uint32_t from = bin + 1; from < kBinCount;) {
    uint64_t bits = pageState.binBits[from / 64] >> (from % 64);
    if (bits)
      return pageState.bins[from + static_cast<uint32_t>(__builtin_ctzll(bits))];
    from = (from / 64 + 1) * 64;
  }
  return 0;
}

PageRun takeFreshPages(uint64_t pages) {
  if (pages > kHeapPages - pageState.end)
    return {};
  PageRun result{pageState.end, pages, true};
  pageState.end += pages;
  return result;
}

bool restoredInPlace() {
  if (!controlled())
    return false;
  const BatchHeader* batch = persistent().batch;
  return batch && batch->plan.isolation == Isolation::InPlace;
}

void discard(uint64_t first, uint64_t pages) {
  rawSyscall(SYS_madvise, static_cast<long>(pageAddress(first)),
             static_cast<long>(pages << kPageShift), MADV_DONTNEED);
}

/// The first page that can be given to the kernel without a trace. What was there at the snapshot
/// would have to be put back, but the kernel does not list such pages as written.
uint64_t firstDiscardable(uint64_t first) {
  if (!restoredInPlace())
    return first;
  uint64_t end = (persistent().snapshotHeapEnd - kHeapBase + kPageBytes - 1) >> kPageShift;
  return first > end ? first : end;
}

/// Whether all of the pages are zero now.
bool giveToKernel(uint64_t first, uint64_t pages) {
  uint64_t from = firstDiscardable(first);
  uint64_t end = first + pages;
  if (from < end)
    discard(from, end - from);
  return from <= first;
}

/// Whether a free run is better off with the kernel: what is zero costs nothing when it is used
/// again, and a huge run may have been touched anywhere.
bool belongsToKernel(uint64_t pages) {
  uint64_t most = restoredInPlace() ? kMaxDirtyInPlace : kMaxDirtyPages;
  return pages >= kHugePages || (pages >= kMinReturnedPages && pageState.dirtyPages + pages > most);
}

/// What malloc of libc could never get from the kernel is refused here too.
uint64_t machineBytes() {
  struct sysinfo info = {};
  if (rawSyscall(SYS_sysinfo, asLong(&info)) != 0)
    return kHeapBytes;
  uint64_t bytes = (uint64_t{info.totalram} + info.totalswap) * info.mem_unit;
  return bytes < kHeapBytes ? bytes : kHeapBytes;
}

} // namespace

bool heapReady() { return pageState.ready; }

void initializeHeap() {
  mapFixed(kHeapBase, kHeapBytes, "the program's heap");
  mapFixed(kHeapTablesBase, kHeapTablesEnd - kHeapTablesBase, "the heap's tables");
  static_assert(kHeapPages * sizeof(PageEntry) <= kHeapRunTableBase - kHeapPageTableBase);
  static_assert(kHeapPages * sizeof(RunRecord) <= kHeapQueueBase - kHeapRunTableBase);
  static_assert(sizeof(BlockRecord) << 32 <= kHeapTablesEnd - kHeapBlockTableBase);
  pageState.ready = true;
  pageState.end = kThreadPages;
  heapState.mostBytes = machineBytes();
}

void zeroPages(uint64_t first, uint64_t pages) {
  uint64_t from = pages < kHugePages ? first + pages : firstDiscardable(first);
  uint64_t end = first + pages;
  from = from < end ? from : end;
  if (from < end)
    discard(from, end - from);
  memset(reinterpret_cast<void*>(pageAddress(first)), 0, (from - first) << kPageShift);
}

uint64_t pagesEnd() { return pageState.end; }

PageRun takePages(uint64_t pages) {
  uint64_t found = findRun(pages);
  if (!found)
    return takeFreshPages(pages);
  PageRun run = removeRun(found);
  forgetHuge(found, pages);
  if (run.pages > pages) {
    insertRun(run.first + pages, run.pages - pages, run.isZero);
    run.pages = pages;
  }
  return run;
}

PageRun takeAlignedPages(uint64_t pages, uint64_t alignment) {
  if (alignment <= 1)
    return takePages(pages);
  PageRun run = takePages(pages + alignment - 1);
  if (run.first == 0)
    return run;
  uint64_t first = (run.first + alignment - 1) & ~(alignment - 1);
  uint64_t after = run.first + run.pages - (first + pages);
  if (first != run.first)
    returnPages(run.first, first - run.first, run.isZero);
  if (after != 0)
    returnPages(first + pages, after, run.isZero);
  return {first, pages, run.isZero};
}

bool takePagesAt(uint64_t first, uint64_t pages) {
  if (first == pageState.end)
    return takeFreshPages(pages).first != 0;
  if (first > pageState.end || !runRecord(first).isFreeRun || runRecord(first).runPages < pages)
    return false;
  PageRun run = removeRun(first);
  forgetHuge(first, pages);
  if (run.pages > pages)
    insertRun(first + pages, run.pages - pages, run.isZero);
  return true;
}

void returnPages(uint64_t first, uint64_t pages, bool isZero) {
  if (runRecord(first - 1).isFreeRun) {
    PageRun before = removeRun(runRecord(first - 1).runFirst);
    first = before.first;
    pages += before.pages;
    isZero = isZero && before.isZero;
  }
  if (first + pages < pageState.end && runRecord(first + pages).isFreeRun) {
    PageRun after = removeRun(first + pages);
    pages += after.pages;
    isZero = isZero && after.isZero;
  }
  if (!isZero && belongsToKernel(pages))
    isZero = giveToKernel(first, pages);
  insertRun(first, pages, isZero);
}

} // namespace heddle::rt
