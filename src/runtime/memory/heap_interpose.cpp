#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/core/scheduler.h"
#include "runtime/memory/heap_blocks.h"

#include <errno.h>
#include <sys/syscall.h>

/// malloc and its family. A call costs the test of one word (no guard, no lock, no events) and
/// then the fast path of heap_blocks.h.
namespace heddle::rt {

namespace {

volatile int heapLock = 0;
HeapEventSink tellEvent = nullptr;

/// Taken only where real threads exist; see useHeapLock.
class HeapLock {
public:
  HeapLock() {
    while (__atomic_exchange_n(&heapLock, 1, __ATOMIC_ACQUIRE))
      rawSyscall(SYS_sched_yield);
  }
  ~HeapLock() { __atomic_store_n(&heapLock, 0, __ATOMIC_RELEASE); }
  HeapLock(const HeapLock&) = delete;
  HeapLock& operator=(const HeapLock&) = delete;
};

void noteEvent(EventKind kind, const void* block) {
  if (tellsHeapEvents() && block)
    tellEvent(self(), kind, block, heapBlockOf(block).size);
}

/// A block was resized where it is: for who has a pointer to it, it ended all the same. What was
/// added is new.
void noteResized(const void* block, size_t before, size_t after) {
  if (!tellsHeapEvents())
    return;
  tellEvent(self(), EventKind::Free, block, before);
  if (after > before)
    tellEvent(self(), EventKind::Allocate, static_cast<const char*>(block) + before,
              after - before);
}

/// Freeing may be what the plan's target asks for: others may run before it.
void comeToFree(const void* block) {
  if (tellsHeapEvents() && block)
    freePoint(block, heapBlockOf(block).size);
}

void* outOfMemory() {
  errno = ENOMEM;
  return nullptr;
}

enum class Fill : uint8_t { Any, Zero };

void* allocate(size_t alignment, size_t size, Fill fill) {
  if (fill == Fill::Zero)
    return heapAllocateZeroed(size);
  return alignment <= kGranule ? heapAllocate(size) : heapAllocateAligned(alignment, size);
}

/// Every way to get memory, with everything that can be in the way of the fast path.
__attribute__((noinline)) void* allocateSlow(size_t alignment, size_t size, Fill fill) {
  void* block = nullptr;
  if (size > PTRDIFF_MAX || alignment > PTRDIFF_MAX)
    return outOfMemory();
  if (heapState.mode & kHeapInternal) {
    block = internalAllocate(alignment, size);
  } else if (heapState.mode & kHeapLocked) {
    HeapLock lock;
    block = allocate(alignment, size, fill);
  } else {
    block = allocate(alignment, size, fill);
    noteEvent(EventKind::Allocate, block);
  }
  return block ? block : outOfMemory();
}

__attribute__((noinline)) void freeSlow(void* block) {
  if (inInternalHeap(block)) {
    internalFree(block);
  } else if (heapState.mode & kHeapLocked) {
    HeapLock lock;
    heapFree(block);
  } else {
    comeToFree(block);
    noteEvent(EventKind::Free, block);
    heapFree(block);
  }
}

void* reallocateInternal(void* block, size_t size) {
  InternalAllocation guard;
  size_t old = internalSize(block);
  void* moved = internalAllocate(kGranule, size);
  if (!moved)
    return outOfMemory();
  memcpy(moved, block, old < size ? old : size);
  internalFree(block);
  return moved;
}

void* reallocate(void* block, size_t size) {
  if (inInternalHeap(block))
    return reallocateInternal(block, size);
  void* result = nullptr;
  if (heapState.mode & kHeapLocked) {
    HeapLock lock;
    result = heapReallocate(block, size);
  } else {
    comeToFree(block);
    size_t before = heapBlockOf(block).size;
    result = heapReallocate(block, size);
    if (result == block) {
      noteResized(block, before, size);
    } else {
      noteEvent(EventKind::Free, result ? block : nullptr);
      noteEvent(EventKind::Allocate, result);
    }
  }
  return result ? result : outOfMemory();
}

bool isPowerOfTwo(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

} // namespace

InternalAllocation::InternalAllocation() {
  ++heapState.internalDepth;
  heapState.mode |= kHeapInternal;
}

InternalAllocation::~InternalAllocation() {
  if (--heapState.internalDepth == 0)
    heapState.mode &= ~uint32_t{kHeapInternal};
}

void setHeapEvents(HeapEventSink sink) {
  tellEvent = sink;
  heapState.mode = sink ? heapState.mode | kHeapEvents : heapState.mode & ~uint32_t{kHeapEvents};
}

bool tellsHeapEvents() { return (heapState.mode & kHeapEvents) && controlled(); }

void useHeapLock() { heapState.mode |= kHeapLocked; }

} // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_INTERPOSE void* malloc(size_t size) {
  if (__builtin_expect(heapState.mode == 0 && size <= kMaxSmallBytes, true))
    if (void* block = allocateSmall(ownClass(classOf(size)), size))
      return block;
  return allocateSlow(0, size, Fill::Any);
}

HEDDLE_INTERPOSE void free(void* block) {
  if (!block)
    return;
  if (__builtin_expect(heapState.mode == 0 && inHeap(block), true))
    if (__builtin_expect(freeSmall(reinterpret_cast<uintptr_t>(block)), true))
      return;
  freeSlow(block);
}

HEDDLE_INTERPOSE void* calloc(size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes))
    return outOfMemory();
  return allocateSlow(0, bytes, Fill::Zero);
}

HEDDLE_INTERPOSE void* realloc(void* block, size_t size) {
  if (!block)
    return malloc(size);
  if (size == 0) { // as glibc does
    free(block);
    return nullptr;
  }
  return reallocate(block, size);
}

HEDDLE_INTERPOSE void* reallocarray(void* block, size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes))
    return outOfMemory();
  return realloc(block, bytes);
}

HEDDLE_INTERPOSE void* memalign(size_t alignment, size_t size) {
  size_t power = kGranule; // glibc rounds up what is not a power of two
  while (power < alignment && power < PTRDIFF_MAX)
    power <<= 1;
  return allocateSlow(power, size, Fill::Any);
}

HEDDLE_INTERPOSE void* aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

HEDDLE_INTERPOSE int posix_memalign(void** result, size_t alignment, size_t size) {
  if (!isPowerOfTwo(alignment) || alignment % sizeof(void*) != 0)
    return EINVAL;
  int before = errno;
  void* block = allocateSlow(alignment, size, Fill::Any);
  errno = before;
  if (!block)
    return ENOMEM;
  *result = block;
  return 0;
}

HEDDLE_INTERPOSE void* valloc(size_t size) { return memalign(kPageBytes, size); }

HEDDLE_INTERPOSE void* pvalloc(size_t size) {
  if (size > PTRDIFF_MAX)
    return outOfMemory();
  return memalign(kPageBytes, (size + kPageBytes - 1) & ~(kPageBytes - 1));
}

HEDDLE_INTERPOSE size_t malloc_usable_size(void* block) {
  if (!block)
    return 0;
  // Not the slot: what lies beyond the requested size counts as out of bounds.
  return inInternalHeap(block) ? internalSize(block) : heapUsableSize(block);
}

HEDDLE_INTERPOSE int malloc_trim(size_t) { return 0; }
