#include "runtime/memory/heap_blocks.h"

/// The heap that serves libc while the runtime calls into it: donors' thread vectors, results of
/// dlsym. A few hundred blocks in the life of a process: powers of two, with a header.
namespace heddle::rt {

namespace {

struct Header {
  size_t size;
  uint32_t sizeClass; ///< log2 of the whole slot
  uint32_t offset;    ///< of the header in its slot
};
static_assert(sizeof(Header) == kGranule);

constexpr uint32_t kMinClass = 5;
constexpr uint32_t kInternalClasses = 32;

struct InternalState {
  uintptr_t end;                    ///< 0: not mapped yet
  uintptr_t free[kInternalClasses]; ///< slots, linked by their first word
};
InternalState internalState;

Header* headerOf(const void* block) {
  return reinterpret_cast<Header*>(reinterpret_cast<uintptr_t>(block) - sizeof(Header));
}

uintptr_t takeSlot(uint32_t sizeClass) {
  uintptr_t slot = internalState.free[sizeClass];
  if (slot != 0) {
    internalState.free[sizeClass] = *reinterpret_cast<uintptr_t*>(slot);
    return slot;
  }
  prepareInternalHeap();
  slot = internalState.end;
  if ((size_t{1} << sizeClass) > kInternalHeapBase + kInternalHeapBytes - slot)
    return 0;
  internalState.end += size_t{1} << sizeClass;
  return slot;
}

} // namespace

void prepareInternalHeap() {
  if (internalState.end != 0)
    return;
  mapFixed(kInternalHeapBase, kInternalHeapBytes, "the runtime's heap");
  internalState.end = kInternalHeapBase;
}

uintptr_t internalHeapEnd() {
  return internalState.end == 0 ? kInternalHeapBase : internalState.end;
}

void* internalAllocate(size_t alignment, size_t size) {
  if (alignment < kGranule)
    alignment = kGranule;
  // Slots of 2^n bytes lie anywhere: leave room to move the block up to its alignment.
  size_t need = size + sizeof(Header) + (alignment > kGranule ? alignment : 0);
  if (need > kInternalHeapBytes / 2 || need < size)
    return nullptr;
  uint32_t sizeClass = kMinClass;
  while ((size_t{1} << sizeClass) < need)
    ++sizeClass;
  uintptr_t slot = takeSlot(sizeClass);
  if (slot == 0)
    return nullptr;
  uintptr_t block = (slot + sizeof(Header) + alignment - 1) & ~(alignment - 1);
  *headerOf(reinterpret_cast<void*>(block)) = {
      size, sizeClass, static_cast<uint32_t>(block - sizeof(Header) - slot)};
  memset(reinterpret_cast<void*>(block), 0, size);
  return reinterpret_cast<void*>(block);
}

void internalFree(void* block) {
  Header* header = headerOf(block);
  uint32_t sizeClass = header->sizeClass;
  uintptr_t slot = reinterpret_cast<uintptr_t>(header) - header->offset;
  *reinterpret_cast<uintptr_t*>(slot) = internalState.free[sizeClass];
  internalState.free[sizeClass] = slot;
}

size_t internalSize(const void* block) { return headerOf(block)->size; }

} // namespace heddle::rt
