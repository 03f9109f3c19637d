#include "learn.h"

#include "arena.h"
#include "donor.h"
#include "heap.h"
#include "raw_syscall.h"
#include "scheduler.h"
#include "sites.h"

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
};

ChunkSlot* chunks = nullptr;
SiteMemory* memories = nullptr;
uint32_t memoryCount = 0;
uintptr_t nextChunk = 0;
uint64_t clock = 1;
uint64_t cachedKey = ~0ull;
Cell* cachedCells = nullptr;

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
  if (inHeap(address))
    return heapBlockOf(address).allocationThread == fiber->index();
  if (fiber->donor) // its TLS is part of the stack's memory
    return at - fiber->donor->stackLow < fiber->donor->stackBytes;
  return at - kMainStackBase < kMainStackBytes ||
         at - (fiber->fsBase - threadLocalBytes()) < threadLocalBytes();
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

uint64_t eventClock() { return clock; }

void learnAccess(Fiber* fiber, const void* address, uint64_t size, bool write, SiteId site) {
  if (raw(site) >= kMaxSites)
    return;
  if (raw(site) >= memoryCount)
    memoryCount = raw(site) + 1;
  ++clock;
  SiteMemory& memory = memories[raw(site)];
  ++memory.executions;
  auto begin = reinterpret_cast<uintptr_t>(address);
  for (uint64_t at = begin & ~7ull; at < begin + size; at += 8) {
    Cell* cell = cellOf(at);
    State state = nextState(*cell, fiber, write);
    *cell = makeCell(state, raw(fiber->index()), clock);
    if (state == SharedWritten)
      memory.flags |= kLearnedShared;
    remember(memory, cell);
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
