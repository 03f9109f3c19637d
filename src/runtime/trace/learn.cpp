#include "runtime/trace/learn.h"

#include "runtime/base/arena.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/core/scheduler.h"
#include "runtime/memory/donor.h"
#include "runtime/memory/heap.h"
#include "runtime/trace/site_modes.h"
#include "runtime/trace/sites.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {

enum State : uint64_t { Untouched, ExclusiveRead, ExclusiveWritten, SharedRead, SharedWritten };

/// Packed: 3 bits state, 15 bits thread, 46 bits time of the last access.
using Cell = uint64_t;
constexpr State stateOf(Cell cell) { return static_cast<State>(cell & 7); }
constexpr uint32_t ownerOf(Cell cell) { return cell >> 3 & 0x7fff; }
constexpr uint64_t timeOf(Cell cell) { return cell >> 18; }
constexpr Cell makeCell(State state, uint32_t owner, uint64_t time) {
  return state | uint64_t{owner} << 3 | time << 18;
}

constexpr uint64_t kChunkBits = 21;
constexpr uint32_t kChunkSlots = 1 << 16;
constexpr uint32_t kRemembered = 8;

struct ChunkSlot {
  uint64_t key;
  Cell* cells;
};

/// What a site did: the memory it touched first and last, to be looked at again when the run has
/// ended, since memory may become shared only after the site has run.
struct SiteMemory {
  Cell* touched[kRemembered];
  uint32_t count;
  uint32_t flags; ///< LearnedFlags
  uint64_t executions;
  uint64_t restsAt; ///< executions at which the hook rests; 0: not decided yet
};

ChunkSlot* chunks = nullptr;
SiteMemory* memories = nullptr;
uint32_t memoryCount = 0;
uintptr_t nextChunk = 0;
uint64_t clock = 1;
uint64_t cachedKey = ~0ull;
Cell* cachedCells = nullptr;

/// Executions of a site after which it rests: at first, and whenever it was woken.
constexpr uint64_t kFirstExecutions = 20'000;
constexpr uint64_t kMoreExecutions = 64;
/// Sync operations after which hooks that rest are woken; the longest interval.
constexpr uint64_t kFirstInterval = 64;
constexpr uint64_t kLongestInterval = 8192;
constexpr uint32_t kMaxResting = 1 << 16;

const SiteSlot** resting = nullptr;
uint32_t restingCount = 0;
uint32_t learnedThreads = 0; ///< fibers below have had hooks of their own
uint64_t operations = 0;     ///< sync operations since hooks were woken
uint64_t interval = kFirstInterval;

constexpr uint64_t kRegionBytes = 1ull << 40;
constexpr uint64_t kMaxSites = 1 << 22;

Cell* findChunk(uint64_t key) {
  auto i = static_cast<uint32_t>(mix(0, key) >> 40) % kChunkSlots;
  while (chunks[i].cells && chunks[i].key != key)
    i = (i + 1) % kChunkSlots;
  if (!chunks[i].cells) {
    chunks[i] = {key, reinterpret_cast<Cell*>(nextChunk)};
    nextChunk += 1ull << kChunkBits; // one 8-byte cell per 8 bytes
  }
  return chunks[i].cells;
}

/// The cells of a chunk in which something was touched, or null.
Cell* knownChunk(uint64_t key) {
  auto i = static_cast<uint32_t>(mix(0, key) >> 40) % kChunkSlots;
  while (chunks[i].cells && chunks[i].key != key)
    i = (i + 1) % kChunkSlots;
  return chunks[i].cells;
}

Cell* cellOf(uint64_t address) {
  uint64_t key = address >> kChunkBits;
  if (key != cachedKey) {
    cachedCells = findChunk(key);
    cachedKey = key;
  }
  return cachedCells + ((address & ((1ull << kChunkBits) - 1)) >> 3);
}

/// Whether everything that `owner` did until `time` happened before what `fiber` does now,
/// because it created it (or an ancestor) later, or was joined by it.
bool handedOver(uint32_t owner, uint64_t time, const Fiber* fiber) {
  const Fiber* former = fiberAt(static_cast<ThreadIndex>(owner));
  if (former->joinedBy == fiber)
    return true;
  for (const Fiber* f = fiber; f->parent; f = f->parent)
    if (f->parent == former && f->createdAt > time)
      return true;
  return false;
}

State nextState(Cell cell, const Fiber* fiber, bool write) {
  State state = stateOf(cell);
  State exclusive = write ? ExclusiveWritten : ExclusiveRead;
  if (state == Untouched)
    return exclusive;
  if (state == SharedWritten || (state == SharedRead && !write))
    return state;
  if (state == SharedRead)
    return SharedWritten;
  if (ownerOf(cell) == raw(fiber->index()))
    return state == ExclusiveWritten ? state : exclusive;
  if (handedOver(ownerOf(cell), timeOf(cell), fiber))
    return exclusive;
  return write || state == ExclusiveWritten ? SharedWritten : SharedRead;
}

void remember(SiteMemory& memory, Cell* cell) {
  memory.flags |= kLearnedExecuted;
  constexpr uint32_t firstOnes = kRemembered / 2;
  uint32_t count = memory.count;
  uint32_t slot = count < firstOnes ? count : firstOnes + count % (kRemembered - firstOnes);
  if (count > 0 &&
      memory.touched[count <= firstOnes ? count - 1
                                        : firstOnes + (count - 1) % (kRemembered - firstOnes)] ==
          cell)
    return;
  memory.touched[slot] = cell;
  ++memory.count;
}

bool touchedShared(const SiteMemory& memory) {
  for (Cell* cell : memory.touched)
    if (cell && stateOf(*cell) == SharedWritten)
      return true;
  return false;
}

/// Bytes of the executable's thread_local variables, which lie below the FS base.
uintptr_t threadLocalBytes() {
  static uintptr_t bytes = 0;
  static bool known = false;
  if (known)
    return bytes;
  known = true;
  auto* headers = reinterpret_cast<const Elf64_Phdr*>(getauxval(AT_PHDR));
  for (unsigned long i = 0; headers && i < getauxval(AT_PHNUM); ++i)
    if (headers[i].p_type == PT_TLS)
      bytes = (headers[i].p_memsz + headers[i].p_align - 1) & ~(headers[i].p_align - 1);
  return bytes;
}

/// Whether the address is on the thread's stack, in a block that it has allocated, or in its
/// thread_local variables. Where the stack has been lent to others, it says nothing: a place there
/// holds one variable after the other, and no hook tells when they change. Such a site is learned
/// to be shared, as all are, and with that not left out any more.
bool isOwn(const Fiber* fiber, const void* address) {
  auto at = reinterpret_cast<uintptr_t>(address);
  if (fiber->ownStack && at - fiber->ownStack < fiber->ownStackBytes)
    return true;
  if (inHeap(address))
    return heapBlockOf(address).allocationThread == fiber->index();
  if (fiber->donor) // its TLS is part of the stack's memory
    return at - fiber->donor->stackLow < fiber->donor->stackBytes;
  return at - kMainStackBase < kMainStackBytes ||
         at - (fiber->fsBase - threadLocalBytes()) < threadLocalBytes();
}

bool isOnStack(const void* address) {
  auto at = reinterpret_cast<uintptr_t>(address);
  return at - kMainStackBase < kMainStackBytes || (at >= kStackBase && at < kStackEnd);
}

void mapRegion() {
  // A restore puts `chunks` back and leaves the mapping of the run before.
  rawSyscall(SYS_munmap, static_cast<long>(kLearnBase), static_cast<long>(kRegionBytes));
  auto* base = static_cast<char*>(mapFixed(kLearnBase, kRegionBytes, "the map of shared memory"));
  chunks = reinterpret_cast<ChunkSlot*>(base);
  memories = reinterpret_cast<SiteMemory*>(base + kChunkSlots * sizeof(ChunkSlot));
  nextChunk = reinterpret_cast<uintptr_t>(memories + kMaxSites);
  nextChunk = (nextChunk + 4095) & ~uintptr_t{4095};
}

} // namespace

void beginLearning() {
  if (!chunks)
    mapRegion();
}

namespace {

/// Of a site that is not looked at all the time it does not count which element of an array it
/// touches, but which array: what another thread touches of it may be another one, or not be seen.
/// The cell of a block stands for the whole of it.
uint64_t blockAddress(const void* address) {
  constexpr uint64_t wholeBlock = 1ull << 46; // no address of the program
  constexpr uint64_t granule = 4096;
  if (inHeap(address))
    return heapBlockOf(address).base | wholeBlock;
  return (reinterpret_cast<uintptr_t>(address) & ~(granule - 1)) | wholeBlock;
}

void learnBlock(Fiber* fiber, const void* address, bool write, SiteMemory& memory) {
  if (isOnStack(address))
    return;
  Cell* cell = cellOf(blockAddress(address));
  State state = nextState(*cell, fiber, write);
  *cell = makeCell(state, raw(fiber->index()), clock);
  if (state == SharedWritten)
    memory.flags |= kLearnedShared;
  memory.touched[0] = cell; // it may become shared later
}

} // namespace

void learnSampled(Fiber* fiber, const void* address, uint64_t size, bool write,
                  const SiteSlot& slot) {
  auto site = static_cast<SiteId>(slot.id);
  learnAccess(fiber, address, size, write, site);
  if (slot.id >= kMaxSites)
    return;
  SiteMemory& memory = memories[slot.id];
  if (memory.restsAt == 0)
    memory.restsAt = kFirstExecutions;
  if (memory.restsAt != kFirstExecutions || memory.executions >= kFirstExecutions)
    learnBlock(fiber, address, write, memory);
  if (memory.executions < memory.restsAt || restingCount == kMaxResting)
    return;
  if (!resting)
    resting = static_cast<const SiteSlot**>(runAllocate(kMaxResting * sizeof(SiteSlot*)));
  resting[restingCount++] = &slot;
  rest(slot);
}

void noteLearningStep(const Fiber* fiber) {
  bool isNew = raw(fiber->index()) >= learnedThreads;
  if (++operations < interval && !isNew)
    return;
  operations = 0;
  if (isNew)
    learnedThreads = raw(fiber->index()) + 1;
  else
    interval = interval < kLongestInterval ? interval + interval / 2 : interval;
  for (uint32_t i = 0; i < restingCount; ++i) {
    SiteMemory& memory = memories[resting[i]->id];
    memory.restsAt = memory.executions + (isNew ? kFirstExecutions : kMoreExecutions);
    wake(*resting[i]);
  }
  restingCount = 0;
}

uint64_t eventClock() { return clock; }

/// The site is executed once more; it is below kMaxSites.
static SiteMemory& beginExecution(SiteId site) {
  if (raw(site) >= memoryCount)
    memoryCount = raw(site) + 1;
  ++clock;
  SiteMemory& memory = memories[raw(site)];
  ++memory.executions;
  return memory;
}

static void learnCell(SiteMemory& memory, Cell* cell, const Fiber* fiber, bool write) {
  State state = nextState(*cell, fiber, write);
  *cell = makeCell(state, raw(fiber->index()), clock);
  if (state == SharedWritten)
    memory.flags |= kLearnedShared;
  remember(memory, cell);
}

void learnAccess(Fiber* fiber, const void* address, uint64_t size, bool write, SiteId site) {
  if (raw(site) >= kMaxSites)
    return;
  SiteMemory& memory = beginExecution(site);
  auto begin = reinterpret_cast<uintptr_t>(address);
  for (uint64_t at = begin & ~7ull; at < begin + size; at += 8)
    learnCell(memory, cellOf(at), fiber, write);
}

void learnFree(Fiber* fiber, const void* address, uint64_t size, SiteId site) {
  constexpr uint64_t kSmall = 0x10000;
  if (size <= kSmall)
    return learnAccess(fiber, address, size, true, site);
  if (raw(site) >= kMaxSites)
    return;
  SiteMemory& memory = beginExecution(site);
  constexpr uint64_t chunkBytes = 1ull << kChunkBits;
  auto begin = reinterpret_cast<uintptr_t>(address);
  for (uint64_t at = begin; at < begin + size; at = (at / chunkBytes + 1) * chunkBytes) {
    Cell* cells = knownChunk(at >> kChunkBits);
    if (!cells)
      continue;
    uint64_t end = (at / chunkBytes + 1) * chunkBytes;
    end = end < begin + size ? end : begin + size;
    for (Cell* cell = cells + at % chunkBytes / 8; at < end; ++cell, at += 8)
      if (*cell != 0)
        learnCell(memory, cell, fiber, true);
    at = end - 1;
  }
}

uint64_t learnLocalAccess(Fiber* fiber, const void* address, uint64_t size, bool write,
                          SiteId site) {
  if (raw(site) >= kMaxSites)
    return ~0ull;
  learnAccess(fiber, address, size, write, site);
  SiteMemory& memory = memories[raw(site)];
  if (!isOwn(fiber, address))
    memory.flags |= kLearnedForeign;
  return memory.executions;
}

void endLearning(BatchHeader& batch) {
  if (!chunks)
    return;
  auto* header =
      reinterpret_cast<SiteRegionHeader*>(reinterpret_cast<char*>(&batch) + batch.sites.offset);
  auto* dumped = reinterpret_cast<DumpedSite*>(header + 1);
  uint32_t known = header->complete ? header->siteCount + 1 : 0;
  for (uint32_t id = 0; id < memoryCount && id < known; ++id) {
    SiteMemory& memory = memories[id];
    if (touchedShared(memory))
      memory.flags |= kLearnedShared;
    dumped[id].learned |= memory.flags;
    dumped[id].executions = memory.executions;
  }
}

} // namespace heddle::rt
