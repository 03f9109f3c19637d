#include "runtime/base/message.h"
#include "runtime/base/process_end.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler.h"
#include "runtime/memory/heap_blocks.h"
#include "runtime/memory/heap_pages.h"

#include <signal.h>
#include <sys/syscall.h>

/// What a block is, and what an access to it or a free of it does wrong.
namespace heddle::rt {

namespace {

ThreadIndex threadFrom(uint16_t index) {
  return index == kNoThread ? ThreadIndex::None : static_cast<ThreadIndex>(index);
}

HeapBlock smallBlock(const PageEntry& page, uintptr_t address) {
  const SizeClass& c = heapState.classes[page.sizeClass];
  uint32_t slot = slotOf(page, address, c.reciprocal).slot;
  const BlockRecord& record = *recordOf(page, slot);
  HeapBlock block;
  block.state = record.state;
  if (block.state == BlockState::Unused)
    return block;
  block.base = pageAddress(pageOf(address) - page.pageInSpan) + uint64_t{slot} * c.bytes;
  block.size = c.bytes - record.slack;
  block.generation = record.generation;
  block.allocationSite = record.allocationSite;
  block.allocationThread = threadFrom(record.allocationThread);
  if (block.state == BlockState::Freed) {
    block.freeSite = record.freeSite;
    block.freeThread = threadFrom(record.freeThread);
  }
  return block;
}

HeapBlock largeBlock(uint64_t page) {
  uint64_t first = largeBlockAt(page);
  if (first == 0)
    return {};
  const RunRecord& record = runRecord(first);
  HeapBlock block;
  block.base = pageAddress(first);
  block.size = record.size;
  block.state = record.state;
  block.generation = record.generation;
  block.allocationSite = record.allocationSite;
  block.allocationThread = threadFrom(record.allocationThread);
  if (record.state == BlockState::Freed) {
    block.freeSite = record.freeSite;
    block.freeThread = threadFrom(record.freeThread);
  }
  return block;
}

/// Whether the address was part of a block whose record is gone: its pages were given back and no
/// block of the same kind has them now.
bool wasGivenBack(const void* pointer) {
  auto address = reinterpret_cast<uintptr_t>(pointer);
  return inHeap(pointer) && heapReady() && pageOf(address) < pagesEnd() &&
         !isThreadPage(pageOf(address)) && pageEntry(pageOf(address)).use != PageUse::Small;
}

/// The usual case of a check: the access lies in an allocated small block.
inline bool insideSmall(uintptr_t address, size_t size) {
  const PageEntry& page = pageEntry(pageOf(address));
  if (page.use != PageUse::Small)
    return false;
  const SizeClass& c = heapState.classes[page.sizeClass];
  uint32_t slot = slotOf(page, address, c.reciprocal).slot;
  const BlockRecord& record = *recordOf(page, slot);
  uint64_t inSpan = (uint64_t{page.pageInSpan} << kPageShift) + (address & (kPageBytes - 1));
  uint64_t offset = inSpan - uint64_t{slot} * c.bytes;
  return record.state == BlockState::Allocated && size <= kMaxSmallBytes &&
         offset + size <= c.bytes - record.slack;
}

/// "T2", or who else it can have been.
const char* threadName(char (&buffer)[16], ThreadIndex thread) {
  if (thread == ThreadIndex::None)
    return "the start-up";
  uint32_t value = raw(thread);
  char* end = buffer + sizeof buffer - 1;
  *end = 0;
  do {
    *--end = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  *--end = 'T';
  return end;
}

MemoryFault faultAt(const void* address, size_t size, SiteId site, const HeapBlock& block) {
  MemoryFault fault;
  fault.address = address;
  fault.size = static_cast<uint32_t>(size < UINT32_MAX ? size : UINT32_MAX);
  fault.site = site;
  fault.allocationSite = block.allocationSite;
  fault.allocationThread = block.allocationThread;
  fault.freeSite = block.freeSite;
  fault.freeThread = block.freeThread;
  return fault;
}

/// `access`: what was done at the address, for the message.
[[noreturn]] void failAccess(const void* address, size_t size, const char* access, SiteId site,
                             const HeapBlock& block) {
  MemoryFault fault = faultAt(address, size, site, block);
  uintptr_t offset = reinterpret_cast<uintptr_t>(address) - block.base;
  char allocator[16];
  char releaser[16];
  if (block.state == BlockState::Unused)
    failMemory(formatMessage("%s: %s at %p, in memory that %sbelongs to no live block",
                             wasGivenBack(address) ? "heap-use-after-free" : "invalid heap access",
                             access, address, wasGivenBack(address) ? "was freed and " : ""),
               fault);
  if (block.state == BlockState::Allocated)
    failMemory(formatMessage("heap-buffer-overflow: %s at %p, at offset %lu of a "
                             "block of %lu bytes allocated by %s",
                             access, address, offset, block.size,
                             threadName(allocator, block.allocationThread)),
               fault);
  const char* place = offset < block.size ? "inside" : "beyond";
  failMemory(formatMessage("heap-use-after-free: %s at %p, %lu bytes %s a block of "
                           "%lu bytes allocated by %s and freed by %s",
                           access, address, offset < block.size ? offset : offset - block.size,
                           place, block.size, threadName(allocator, block.allocationThread),
                           threadName(releaser, block.freeThread)),
             fault);
}

const char* describeBadFree(const void* pointer, const HeapBlock& block) {
  uintptr_t offset = reinterpret_cast<uintptr_t>(pointer) - block.base;
  char allocator[16];
  char releaser[16];
  if (block.state == BlockState::Unused)
    return formatMessage("invalid free: %p %s", pointer,
                         wasGivenBack(pointer) ? "lies in memory that was freed before"
                                               : "is no block of the heap");
  if (block.state == BlockState::Freed && offset == 0)
    return formatMessage("double free: the block of %lu bytes at %p, allocated by %s, was already "
                         "freed by %s",
                         block.size, pointer, threadName(allocator, block.allocationThread),
                         threadName(releaser, block.freeThread));
  return formatMessage(
      "invalid free: %p is %lu bytes inside a %sblock of %lu bytes allocated by %s", pointer,
      offset, block.state == BlockState::Freed ? "freed " : "", block.size,
      threadName(allocator, block.allocationThread));
}

} // namespace

HeapBlock heapBlockOf(const void* pointer) {
  if (!inHeap(pointer) || !heapReady())
    return {};
  auto address = reinterpret_cast<uintptr_t>(pointer);
  const PageEntry& page = pageEntry(pageOf(address));
  if (hugeBlockAt(pageOf(address)) != 0) // its pages have no entries of their own
    return largeBlock(pageOf(address));
  switch (page.use) {
  case PageUse::None:
    return {};
  case PageUse::Small:
    return smallBlock(page, address);
  case PageUse::Large:
    return largeBlock(pageOf(address));
  }
  return {};
}

void checkHeapAccess(const void* pointer, size_t size, bool isWrite, SiteId site) {
  if (__builtin_expect(insideSmall(reinterpret_cast<uintptr_t>(pointer), size), true))
    return;
  HeapBlock block = heapBlockOf(pointer);
  uintptr_t offset = reinterpret_cast<uintptr_t>(pointer) - block.base;
  if (block.state == BlockState::Allocated && offset <= block.size && size <= block.size - offset)
    return;
  if (size != 0 && controlled())
    failAccess(pointer, size, formatMessage("%s of %lu bytes", isWrite ? "write" : "read", size),
               site, block);
}

void checkHeapObject(const void* object, EventKind kind, SiteId site) {
  // Waking needs the address only: whoever unlocks a futex lock wakes after the store, and the next
  // owner may have freed the lock by then. The kernel and libc allow that.
  if (kind == EventKind::FutexWake)
    return;
  HeapBlock block = heapBlockOf(object);
  if (block.state != BlockState::Allocated && controlled())
    failAccess(object, 0, eventKindText(kind), site, block);
}

void reportInvalidFree(void* pointer) {
  HeapBlock block = heapBlockOf(pointer);
  const char* message = describeBadFree(pointer, block);
  if (controlled())
    failMemory(message, faultAt(pointer, 0, SiteId::None, block));
  // ld.so frees a few blocks of its own first malloc, before anything else has started.
  if (!self())
    return;
  writeError(message);
  abortForReal();
}

} // namespace heddle::rt
