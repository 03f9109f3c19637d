#include "runtime/run/snapshot.h"

#include "runtime/base/arena.h"
#include "runtime/base/persistent.h"
#include "runtime/base/process_maps.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/restorable.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/memory/donor.h"
#include "runtime/memory/heap_threads.h"
#include "runtime/run/page_scan.h"
#include "runtime/run/process_state.h"

#include <algorithm>
#include <fcntl.h>
#include <new>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

namespace heddle::rt {

/// A stretch of memory that is put back. Its copy lies at the same distance from `copy` as the
/// page from `begin`; pages that did not exist have no copy, and read there as zeros.
struct WatchedRange {
  uint64_t begin;
  uint64_t end;
  char* copy;
};

/// Regions that grow (the heap's, the run arena): watched up to an end, given back beyond it.
constexpr uint32_t kGrowingRegions = kHeapRanges + 1;

/// Pages to put back after every run, with their copy.
struct DirtyPages {
  void* pages;
  const void* copy;
  uint64_t bytes;
};

/// All of it lives outside the snapshot.
struct Snapshot {
  static constexpr uint32_t kMaxRanges = 4096;
  static constexpr uint32_t kMaxDirty = 65536;

  PageScanner scanner;
  bool taken = false;
  const char* obstacle = "";
  uint32_t rangeCount = 0;
  uint64_t copyNext = 0;
  uint64_t lowest = ~0ull;
  uint64_t highest = 0;
  uint64_t mapsHash = 0;
  uint64_t processHash = 0;
  int freeDescriptor = 0;
  uint64_t runs = 0;
  long faults = -1; ///< page faults of this thread at the last scan
  uint32_t dirtyCount = 0;
  WatchedRange ranges[kMaxRanges];
  DirtyPages dirty[kMaxDirty];
  uint64_t watchedEnd[kGrowingRegions] = {};
};

namespace {

constexpr uint64_t kCopyBytes = 1ull << 39;
constexpr uint64_t kStackTopBytes = 64 << 10; ///< of each stack, at least
constexpr uint64_t kShadowTopBytes = 64 << 10;
constexpr uint64_t kGrowth = 256 << 10;
constexpr uint64_t kThreadGrowth = 4 << 20; ///< of the heaps of threads, which lie apart

Snapshot& snapshot() { return *persistent().snapshot; }

bool fail(const char* why) {
  snapshot().obstacle = why;
  return false;
}

const WatchedRange* rangeOf(uint64_t page) {
  const Snapshot& s = snapshot();
  uint32_t low = 0;
  uint32_t high = s.rangeCount;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (s.ranges[middle].end <= page)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s.rangeCount && s.ranges[low].begin <= page ? &s.ranges[low] : nullptr;
}

bool addRange(uint64_t begin, uint64_t end) {
  Snapshot& s = snapshot();
  if (begin >= end)
    return true;
  if (s.rangeCount == Snapshot::kMaxRanges)
    return fail("the program has too many mappings");
  s.ranges[s.rangeCount++] = {begin, end, reinterpret_cast<char*>(s.copyNext)};
  s.copyNext += end - begin;
  s.lowest = begin < s.lowest ? begin : s.lowest;
  s.highest = end > s.highest ? end : s.highest;
  return s.copyNext < kCopyBase + kCopyBytes || fail("the program has too much memory");
}

/// Where each growing region ends now.
struct GrowingTops {
  uint64_t top[kGrowingRegions];
};

GrowingTops growingTops() {
  HeapRange ranges[kHeapRanges];
  heapRanges(ranges);
  GrowingTops tops;
  for (uint32_t i = 0; i < kHeapRanges; ++i)
    tops.top[i] = ranges[i].base + ranges[i].bytes;
  tops.top[kHeapRanges] = runArenaTop();
  return tops;
}

uint64_t pageDown(uint64_t address) { return address & ~4095ull; }
uint64_t pageUp(uint64_t address) { return (address + 4095) & ~4095ull; }

bool inRegion(uint64_t address, uint64_t begin, uint64_t end) {
  return address >= begin && address < end;
}

/// A stack and above it the shadow stack. What lies deeper than the thread is dead; a thread that
/// has not begun will use the ends of both.
/// `used`: where the frames of a thread that has not begun end.
bool addStack(const Fiber* fiber, uint64_t used, uint64_t top) {
  uint64_t low = pageDown(used) - kStackTopBytes;
  uint64_t high = top + kShadowTopBytes;
  if (fiber && fiber->stackPointer) {
    if (!fiber->ownStack)
      low = std::min(low, pageDown(reinterpret_cast<uint64_t>(fiber->stackPointer)));
    high = std::max(high, pageUp(reinterpret_cast<uint64_t>(fiber->shadowTop)) + kShadowTopBytes);
  }
  return addRange(low, high);
}

/// A mapping, or the part of it that lies in one region. What is ours and survives, or is dead, is
/// left out.
bool addPart(uint64_t begin, uint64_t end) {
  Snapshot& s = snapshot();
  if (begin == kSignalStackBase || inRegion(begin, kSnapshotBase, kOwnEnd))
    return true;
  if (begin == kMainStackBase)
    return addStack(scheduler.fibers[0], kMainShadowBase, kMainShadowBase);
  if (const Donor* donor = donorAt(begin))
    return addStack(donor->fiber, reinterpret_cast<uint64_t>(donor->parked),
                    donor->stackLow + donor->stackBytes);
  GrowingTops tops = growingTops();
  for (uint32_t i = 0; i < kGrowingRegions; ++i)
    if (tops.top[i] >= begin && tops.top[i] < end) {
      uint64_t limit = pageUp(tops.top[i]) + (i == kThreadRange ? kThreadGrowth : kGrowth);
      end = limit < end ? limit : end;
      s.watchedEnd[i] = end;
    }
  return addRange(begin, end);
}

/// Regions that lie end to end are one mapping for the kernel.
constexpr uint64_t kBorders[] = {kInternalHeapBase,   kHeapPageTableBase, kPoolPageTable,
                                 kHeapRunTableBase,   kPoolRunTable,      kHeapQueueBase,
                                 kHeapBlockTableBase, kPoolBase};

/// Mappings come in order of address.
bool addMapping(const MappedRange& mapping) {
  if (!mapping.writable || !mapping.isPrivate || mapping.isKernelStack)
    return true;
  uint64_t begin = mapping.begin;
  for (uint64_t border : kBorders)
    if (inRegion(border, begin + 1, mapping.end)) {
      if (!addPart(begin, border))
        return false;
      begin = border;
    }
  return addPart(begin, mapping.end);
}

/// Pages that exist are copied; file-backed ones count as existing once they were read.
bool copyRange(const WatchedRange& range, bool fileBacked) {
  if (fileBacked) {
    memcpy(range.copy, reinterpret_cast<void*>(range.begin), range.end - range.begin);
    return true;
  }
  return snapshot().scanner.scan(
      range.begin, range.end, 0, kPagePresent | kPageSwapped, [&](const PageRange& pages) {
        memcpy(range.copy + (pages.begin - range.begin), reinterpret_cast<void*>(pages.begin),
               pages.end - pages.begin);
      });
}

bool copyAll() {
  Snapshot& s = snapshot();
  for (uint32_t i = 0; i < s.rangeCount; ++i)
    if (!copyRange(s.ranges[i], isFileBacked(s.ranges[i].begin)))
      return fail("the kernel did not list the program's pages");
  return true;
}

long pageFaults() {
  rusage usage;
  rawSyscall(SYS_getrusage, RUSAGE_THREAD, asLong(&usage));
  return usage.ru_minflt + usage.ru_majflt;
}

void addDirty(const PageRange& pages) {
  Snapshot& s = snapshot();
  const WatchedRange* range = rangeOf(pages.begin);
  if (!range || s.dirtyCount == Snapshot::kMaxDirty)
    return;
  s.dirty[s.dirtyCount++] = {reinterpret_cast<void*>(pages.begin),
                             range->copy + (pages.begin - range->begin), pages.end - pages.begin};
}

/// Brings the list of pages that were ever written up to date. The first write to a watched page
/// is a page fault: when there was none since the last look, there is nothing to look for.
bool findDirty() {
  Snapshot& s = snapshot();
  long faults = pageFaults();
  if (faults == s.faults)
    return true;
  s.faults = faults;
  s.dirtyCount = 0;
  bool listed = s.scanner.scan(s.lowest, s.highest, kPageProtectable | kPageWritten, 0, addDirty);
  return listed && s.dirtyCount < Snapshot::kMaxDirty;
}

/// The process's memory is the snapshot now.
void refreshCopies() {
  Snapshot& s = snapshot();
  findDirty();
  for (uint32_t i = 0; i < s.dirtyCount; ++i)
    memcpy(const_cast<void*>(s.dirty[i].copy), s.dirty[i].pages, s.dirty[i].bytes);
}

/// The lowest free descriptor number: moves when a run leaves a descriptor open or closes one.
int lowestFreeDescriptor() {
  auto fd = static_cast<int>(rawSyscall(SYS_fcntl, 2, F_DUPFD, 0));
  if (fd >= 0)
    rawSyscall(SYS_close, fd);
  return fd;
}

void createSnapshotState() {
  persistent().snapshot = new (mapFixed(kSnapshotBase, sizeof(Snapshot), "the snapshot")) Snapshot;
  mapFixed(kCopyBase, kCopyBytes, "the snapshot's copies");
  snapshot().copyNext = kCopyBase;
}

bool takeFirst() {
  Snapshot& s = snapshot();
  if (!s.scanner.open())
    return fail(s.scanner.obstacle());
  s.freeDescriptor = lowestFreeDescriptor();
  if (!forEachMapping(addMapping) || !copyAll())
    return false;
  for (uint32_t i = 0; i < s.rangeCount; ++i)
    if (!s.scanner.watch(s.ranges[i].begin, s.ranges[i].end - s.ranges[i].begin))
      return fail(s.scanner.obstacle());
  s.mapsHash = mappingsHash();
  s.processHash = processStateHash();
  s.taken = true;
  return true;
}

void giveBackGrowth() {
  const uint64_t* watchedEnd = snapshot().watchedEnd;
  GrowingTops tops = growingTops();
  for (uint32_t i = 0; i < kGrowingRegions; ++i)
    if (watchedEnd[i] && tops.top[i] > watchedEnd[i])
      rawSyscall(SYS_madvise, static_cast<long>(watchedEnd[i]),
                 static_cast<long>(pageUp(tops.top[i]) - watchedEnd[i]), MADV_DONTNEED);
}

/// Mappings and the state of the process are compared after the first run and then ever more
/// rarely: what a program changes it usually changes in its first run.
bool isLookDue() {
  Snapshot& s = snapshot();
  ++s.runs;
  return (s.runs & (s.runs - 1)) == 0;
}

} // namespace

bool takeSnapshot() {
  if (!persistent().snapshot)
    createSnapshotState();
  persistent().snapshotHeapEnd = growingTops().top[kPoolRange];
  if (!snapshot().taken)
    return takeFirst();
  refreshCopies();
  return true;
}

void restoreSnapshot() {
  Snapshot& s = snapshot();
  giveBackGrowth();
  if (!findDirty())
    noteProcessChange("more written pages than can be remembered");
  for (uint32_t i = 0; i < s.dirtyCount; ++i)
    memcpy(s.dirty[i].pages, s.dirty[i].copy, s.dirty[i].bytes);
}

const char* whyNotRestorable() {
  if (persistent().result.flags & kResultNotRestorable)
    return "something that the run did"; // unless it is known better
  if (lowestFreeDescriptor() != snapshot().freeDescriptor)
    return "a descriptor that was opened or closed";
  bool due = isLookDue();
  if (due && mappingsHash() != snapshot().mapsHash)
    return "a mapping that was made, changed or taken away";
  if (due && processStateHash() != snapshot().processHash)
    return "a change of the process's rights, limits or working directory";
  return nullptr;
}

const char* snapshotObstacle() { return persistent().snapshot ? snapshot().obstacle : ""; }

} // namespace heddle::rt
