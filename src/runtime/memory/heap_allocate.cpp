#include "runtime/memory/heap.h"
#include "runtime/memory/heap_blocks.h"
#include "runtime/memory/heap_pages.h"
#include "runtime/memory/heap_threads.h"

namespace heddle::rt {

HeapState heapState;

namespace {

/// Quarantine of a class: this many bytes, but neither few nor very many blocks.
constexpr uint32_t kDelayBytes = 32768;
constexpr uint32_t kMinDelay = 4;
constexpr uint32_t kMaxDelay = 256;
constexpr uint32_t kMinSlots = 4; ///< of a span
constexpr uint64_t kReclaimStep = 1024;
constexpr uint64_t kFirstReclaim = 16384; ///< pages in use before spans are given back
/// Queues name slots by 32 bits of granule number.
constexpr uint64_t kSmallPages = (kGranule << 32) >> kPageShift;
constexpr uint64_t kNoRecord = 0;
constexpr uint32_t kFirstCapacity = 64; ///< of a queue
constexpr uint32_t kQueueSizes = 33;

struct SpanState {
  uint64_t reclaimAt;                 ///< look for empty spans when the heap has this many pages
  uint32_t spareRecords[kClassCount]; ///< of spans that were given back, linked
  uintptr_t spareQueues[kQueueSizes]; ///< rings that became too small, by log2 of capacity
};
SpanState spanState;

void initializePool() {
  initializeClasses(heapState.classes);
  prepareThreadHeaps();
  heapState.nextRecord = 1; // 0 means "none"
  heapState.nextQueue = kHeapQueueBase;
  spanState.reclaimAt = kFirstReclaim;
}

void ensureReady() {
  if (heapReady())
    return;
  initializeHeap();
  initializePool();
}

struct SpanShape {
  uint32_t pages;
  uint32_t slots;
};

/// Spans grow from a page to 64 KB: a program that needs few blocks touches few pages.
SpanShape spanShape(uint32_t bytes, uint32_t spansBefore) {
  uint32_t wanted = 1u << (spansBefore < 4 ? spansBefore : 4);
  auto least = static_cast<uint32_t>((kMinSlots * bytes + kPageBytes - 1) >> kPageShift);
  uint32_t pages = wanted > least ? wanted : least;
  if (pages > kMaxSpanPages)
    pages = kMaxSpanPages;
  auto slots = static_cast<uint32_t>((uint64_t{pages} << kPageShift) / bytes);
  return {static_cast<uint32_t>((uint64_t{slots} * bytes + kPageBytes - 1) >> kPageShift), slots};
}

SpanShape largestSpan(uint32_t bytes) { return spanShape(bytes, 4); }

/// Records of a span: one more than it has slots, never used, stands for the rest of its last page.
uint64_t takeRecords(SizeClass& c, SpanShape shape) {
  uint32_t& spare = spanState.spareRecords[c.index];
  if (spare != kNoRecord && shape.slots == largestSpan(c.bytes).slots) {
    uint64_t result = spare;
    BlockRecord* records = blockRecords() + result;
    spare = raw(records->allocationSite);
    memset(records, 0, (shape.slots + 1) * sizeof(BlockRecord));
    return result;
  }
  if (heapState.nextRecord + shape.slots >= 1ull << 32)
    return kNoRecord;
  uint64_t result = heapState.nextRecord;
  heapState.nextRecord += shape.slots + 1;
  return result;
}

void releaseSpan(SizeClass& c, uint64_t firstPage) {
  uint32_t pages = runRecord(firstPage).blockPages;
  uint32_t records = pageEntry(firstPage).reference;
  for (uint64_t page = firstPage; page < firstPage + pages; ++page)
    pageEntry(page) = {};
  uint32_t& spare = spanState.spareRecords[c.index];
  blockRecords()[records].allocationSite = static_cast<SiteId>(spare);
  spare = records;
  returnPages(firstPage, pages, false);
}

uint64_t spanAt(uintptr_t address) {
  return pageOf(address) - pageEntry(pageOf(address)).pageInSpan;
}

template <typename Visit> void forEachQueued(const SizeClass& c, Visit visit) {
  for (uint32_t i = 0; i < c.queued; ++i) {
    uint32_t granule = c.queue[(c.first + i) & (c.capacity - 1)];
    visit(granule, runRecord(spanAt(granuleAddress(granule))));
  }
}

/// Gives back the pool's spans of which every slot is free. Their blocks leave the quarantine.
void reclaimClass(SizeClass& c) {
  SpanShape shape = largestSpan(c.bytes);
  forEachQueued(c, [](uint32_t, RunRecord& span) { span.freeSlots = 0; });
  forEachQueued(c, [](uint32_t, RunRecord& span) { ++span.freeSlots; });
  uint32_t kept = 0;
  forEachQueued(c, [&](uint32_t granule, RunRecord& span) {
    // Counts down once a span is known to be empty; the mark keeps the rest of its slots out.
    constexpr uint32_t emptyMark = 1u << 31;
    if (span.freeSlots == shape.slots && !isThreadPage(pageOf(granuleAddress(granule))))
      span.freeSlots |= emptyMark;
    if (!(span.freeSlots & emptyMark))
      c.queue[(c.first + kept++) & (c.capacity - 1)] = granule;
    else if (--span.freeSlots == emptyMark)
      releaseSpan(c, spanAt(granuleAddress(granule)));
  });
  c.queued = kept;
}

/// A program that frees most of its blocks and then uses other sizes must not need twice the
/// memory: when the heap is about to grow, look whether half of it waits in queues.
void reclaimIfWorthwhile() {
  uint64_t pages = pagesEnd() - kThreadPages;
  if (pages < spanState.reclaimAt)
    return;
  uint64_t queuedBytes = 0;
  for (const SizeClass& c : heapState.classes)
    queuedBytes += uint64_t{c.queued} * c.bytes;
  bool worthwhile = queuedBytes * 2 > pages << kPageShift;
  if (worthwhile)
    for (SizeClass& c : heapState.classes)
      if (c.queued > c.delay)
        reclaimClass(c);
  // Looking is cheap; walking the queues in vain, because spans are half full, is not.
  pages = pagesEnd() - kThreadPages;
  spanState.reclaimAt = pages + (worthwhile ? pages / 8 : kReclaimStep);
}

bool isPools(const SizeClass& c) {
  return &c >= heapState.classes && &c < heapState.classes + kClassCount;
}

} // namespace

void initializeClasses(SizeClass* classes) {
  for (uint32_t i = 0; i < kClassCount; ++i) {
    SizeClass& c = classes[i];
    c.bytes = classBytes(i);
    c.reciprocal = static_cast<uint32_t>(((1ull << 32) + c.bytes - 1) / c.bytes);
    uint32_t delay = kDelayBytes / c.bytes;
    c.delay = delay < kMinDelay ? kMinDelay : delay > kMaxDelay ? kMaxDelay : delay;
    c.index = static_cast<uint16_t>(i);
  }
}

uint32_t nextSpanPages(const SizeClass& c) { return spanShape(c.bytes, c.spans).pages; }

bool addSpan(SizeClass& c, const PageRun& run) {
  SpanShape shape = spanShape(c.bytes, c.spans);
  uint64_t records = takeRecords(c, shape);
  if (records == kNoRecord)
    return false;
  for (uint32_t i = 0; i < shape.pages; ++i)
    pageEntry(run.first + i) = {static_cast<uint32_t>(records), static_cast<uint16_t>(i),
                                static_cast<uint8_t>(c.index), PageUse::Small};
  runRecord(run.first).blockPages = shape.pages;
  if (c.spans < 255)
    ++c.spans;
  c.fresh = pageAddress(run.first);
  c.freshRecord = blockRecords() + records;
  c.freshSlots = shape.slots;
  c.freshIsZero = run.isZero;
  return true;
}

void growQueue(SizeClass& c) {
  uint32_t capacity = c.capacity == 0 ? kFirstCapacity : c.capacity * 2;
  uintptr_t& spare = spanState.spareQueues[__builtin_ctz(capacity)];
  uintptr_t place = spare;
  if (place != 0) {
    memcpy(&spare, reinterpret_cast<void*>(place), sizeof spare);
  } else {
    place = heapState.nextQueue;
    heapState.nextQueue += uint64_t{capacity} * sizeof(uint32_t);
  }
  auto* queue = reinterpret_cast<uint32_t*>(place);
  for (uint32_t i = 0; i < c.queued; ++i)
    queue[i] = c.queue[(c.first + i) & (c.capacity - 1)];
  if (c.capacity != 0) {
    uintptr_t& list = spanState.spareQueues[__builtin_ctz(c.capacity)];
    memcpy(c.queue, &list, sizeof list);
    list = reinterpret_cast<uintptr_t>(c.queue);
  }
  c.queue = queue;
  c.first = 0;
  c.capacity = capacity;
}

void* takeFromNewSpan(SizeClass& c, size_t size) {
  ensureReady();
  if (!isPools(c))
    return takeFromThreadSpan(c, size);
  reclaimIfWorthwhile();
  PageRun run = takePages(nextSpanPages(c));
  if (run.first == 0)
    return nullptr;
  if (run.first + run.pages > kSmallPages || !addSpan(c, run)) {
    returnPages(run.first, run.pages, run.isZero);
    return nullptr;
  }
  return takeFresh(c, size);
}

void* heapAllocate(size_t size) {
  if (__builtin_expect(size <= kMaxSmallBytes, true))
    return allocateSmall(ownClass(classOf(size)), size);
  ensureReady();
  reclaimIfWorthwhile();
  return allocateLarge(size, kGranule, false);
}

void* heapAllocateZeroed(size_t bytes) {
  ensureReady();
  if (bytes > kMaxSmallBytes) {
    reclaimIfWorthwhile();
    return allocateLarge(bytes, kGranule, true);
  }
  SizeClass& c = ownClass(classOf(bytes));
  bool isFresh = c.queued <= c.delay;
  void* block = allocateSmall(c, bytes);
  if (block && !(isFresh && c.freshIsZero))
    memset(block, 0, bytes);
  return block;
}

void* heapAllocateAligned(size_t alignment, size_t size) {
  if (alignment <= kGranule)
    return heapAllocate(size);
  ensureReady();
  if (alignment > kPageBytes || size > kMaxSmallBytes)
    return allocateLarge(size, alignment, false);
  // Spans begin at pages: a slot size that is a multiple of the alignment aligns all slots. The
  // largest class is one for every alignment up to a page.
  uint32_t index = classOf(size);
  while (classBytes(index) % alignment != 0)
    ++index;
  return allocateSmall(ownClass(index), size);
}

void heapFree(void* block) {
  auto address = reinterpret_cast<uintptr_t>(block);
  if (!inHeap(block) || !heapReady()) {
    reportInvalidFree(block);
    return;
  }
  const PageEntry& page = pageEntry(pageOf(address));
  if (page.use == PageUse::Small) {
    SizeClass& c = roomForFreed(ownClass(page.sizeClass));
    if (!freeInto(c, page, address))
      reportInvalidFree(block);
    return;
  }
  uint64_t first = page.use == PageUse::Large ? largeBlockAt(pageOf(address)) : 0;
  if (first != 0 && pageAddress(first) == address &&
      runRecord(first).state == BlockState::Allocated)
    releaseLarge(first);
  else
    reportInvalidFree(block);
}

void prepareHeap() {
  ensureReady();
  prepareInternalHeap();
}

size_t heapUsableSize(const void* block) {
  HeapBlock known = heapBlockOf(block);
  return known.state == BlockState::Allocated ? known.size : 0;
}

namespace {

/// Changes the size in place if the slot or the pages after the block allow it.
bool resizeInPlace(const HeapBlock& known, size_t size) {
  PageEntry& page = pageEntry(pageOf(known.base));
  if (page.use == PageUse::Large)
    return size > kMaxSmallBytes && resizeLarge(pageOf(known.base), size);
  SizeClass& c = heapState.classes[page.sizeClass];
  if (size > c.bytes)
    return false;
  // A much smaller block is better off in a slot of its own size.
  if (size < c.bytes / 2 && c.bytes > kPoisonBytes)
    return false;
  recordOf(page, slotOf(page, known.base, c.reciprocal).slot)->slack =
      static_cast<uint16_t>(c.bytes - size);
  return true;
}

} // namespace

void* heapReallocate(void* block, size_t size) {
  HeapBlock known = heapBlockOf(block);
  if (known.state != BlockState::Allocated || known.base != reinterpret_cast<uintptr_t>(block)) {
    reportInvalidFree(block);
    return nullptr;
  }
  if (resizeInPlace(known, size))
    return block;
  size_t kept = known.size < size ? known.size : size;
  bool isHuge = kept >> kPageShift >= kHugePages;
  void* moved = isHuge ? heapAllocateZeroed(size) : heapAllocate(size);
  if (!moved)
    return nullptr;
  if (isHuge)
    copyTouched(moved, block, kept);
  else
    memcpy(moved, block, kept);
  heapFree(block);
  return moved;
}

void heapRanges(HeapRange (&ranges)[kHeapRanges]) {
  uint64_t pages = heapReady() ? pagesEnd() - kThreadPages : 0;
  uint64_t threads = threadPagesEnd();
  ranges[kPoolRange] = {kPoolBase, pages << kPageShift};
  ranges[1] = {kInternalHeapBase, internalHeapEnd() - kInternalHeapBase};
  ranges[2] = {kPoolPageTable, pages * sizeof(PageEntry)};
  ranges[3] = {kPoolRunTable, pages * sizeof(RunRecord)};
  ranges[4] = {kHeapQueueBase, heapState.nextQueue ? heapState.nextQueue - kHeapQueueBase : 0};
  ranges[5] = {kHeapBlockTableBase, heapState.nextRecord * sizeof(BlockRecord)};
  ranges[kThreadRange] = {kHeapBase, threads << kPageShift};
  ranges[7] = {kHeapPageTableBase, threads * sizeof(PageEntry)};
  ranges[8] = {kHeapRunTableBase, threads * sizeof(RunRecord)};
}

} // namespace heddle::rt
