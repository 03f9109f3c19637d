#include "runtime/io/mapping_model.h"

#include "runtime/base/arena.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/base/restorable.h"
#include "runtime/core/scheduler.h"
#include "runtime/io/descriptor_table.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/shared_memory.h"
#include "runtime/trace/run_record.h"
#include "runtime/trace/trace_ring.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {

struct Mapping {
  uintptr_t address;
  size_t bytes;
  uint32_t serial;

  uintptr_t end() const { return address + bytes; }
  bool meets(uintptr_t begin, uintptr_t to) const { return address < to && begin < end(); }
};

constexpr uint32_t kMaxMappings = 1024;
HEDDLE_LARGE Mapping mappings[kMaxMappings];
uint32_t mappingCount = 0;
uint32_t serials = 0;

size_t wholePages(size_t bytes) { return (bytes + 4095) & ~static_cast<size_t>(4095); }

void keep(const Mapping& mapping) {
  if (mapping.bytes == 0)
    return;
  if (mappingCount == kMaxMappings)
    return noteProcessChange("more mappings than can be remembered");
  mappings[mappingCount++] = mapping;
}

/// Takes the range out of the mappings of the run. Whether all of it was in them.
bool cut(uintptr_t begin, uintptr_t end) {
  size_t found = 0;
  for (uint32_t i = mappingCount; i-- > 0;) {
    Mapping old = mappings[i];
    if (!old.meets(begin, end))
      continue;
    mappings[i] = mappings[--mappingCount];
    uintptr_t from = old.address > begin ? old.address : begin;
    uintptr_t to = old.end() < end ? old.end() : end;
    found += to - from;
    keep({old.address, from - old.address, old.serial});
    keep({to, old.end() - to, old.serial});
  }
  return found == end - begin;
}

bool isOfRun(const void* address, size_t bytes) {
  auto begin = reinterpret_cast<uintptr_t>(address);
  uintptr_t end = begin + wholePages(bytes);
  size_t found = 0;
  for (uint32_t i = 0; i < mappingCount; ++i)
    if (mappings[i].meets(begin, end)) {
      uintptr_t to = mappings[i].end();
      found += (to < end ? to : end) - (mappings[i].address > begin ? mappings[i].address : begin);
    }
  return found == end - begin;
}

void noteLifetime(EventKind kind, uintptr_t address, size_t bytes) {
  if (tellsHeapEvents() && bytes != 0)
    recordHeapEvent(self(), kind, reinterpret_cast<void*>(address), bytes);
}

/// Unmapping may be what the plan's target asks for: others may run before it.
void comeToEnd(const void* address, size_t bytes) {
  if (tellsHeapEvents() && !isSharedMemory(reinterpret_cast<uintptr_t>(address), bytes))
    freePoint(address, bytes);
}

/// From here on one object has several addresses. Hooks that write events know addresses only.
void showAs(uintptr_t address, size_t bytes, uintptr_t identity) {
  shareAs(address, bytes, identity);
  keepHooksFromTrace();
}

void show(uintptr_t address, size_t bytes, const SharedSource& source, uint64_t offset) {
  shareMemory(address, bytes, source, offset);
  keepHooksFromTrace();
}

/// New memory. A file's that is shared was there before, and may be mapped elsewhere, too.
void beginMemory(uintptr_t address, size_t bytes, const SharedSource* source = nullptr,
                 uint64_t offset = 0) {
  keep({address, bytes, ++serials});
  if (source)
    show(address, bytes, *source, offset);
  else
    noteLifetime(EventKind::Allocate, address, bytes);
}

/// Memory that ends. Of what shows a shared file only the address does.
void endMemory(uintptr_t address, size_t bytes, const char* how) {
  if (!cut(address, address + bytes))
    noteProcessChange(how);
  if (!isSharedMemory(address, bytes) && !isShownElsewhere(address, bytes))
    noteLifetime(EventKind::Free, address, bytes);
  unshareMemory(address, bytes);
}

/// What a shared mapping shows; false where each mapping has memory of its own.
bool sourceOf(int fd, int flags, SharedSource& source) {
  struct stat status;
  if (!(flags & MAP_SHARED) || (flags & MAP_ANONYMOUS) ||
      rawSyscall(SYS_fstat, fd, asLong(&status)) != 0 || S_ISCHR(status.st_mode))
    return false;
  source = {status.st_dev, status.st_ino};
  return true;
}

/// mremap with an old size of 0: what is shared is mapped once more, and nothing ends. Memory
/// without a file keeps the identity that it had: the address where it was mapped first.
void noteSecondMapping(uintptr_t from, uintptr_t to, size_t bytes) {
  uintptr_t identity = memoryIdentity(from);
  keep({to, bytes, ++serials});
  showAs(to, bytes, identity);
}

bool succeeded(long result) { return result >= 0 || result <= -4096; }

void noteMapped(uintptr_t address, size_t bytes, int flags, int fd, uint64_t offset) {
  if (flags & MAP_FIXED) {
    endMemory(address, bytes, "mmap with MAP_FIXED");
  }
  SharedSource source;
  bool shared = sourceOf(fd, flags, source);
  beginMemory(address, bytes, shared ? &source : nullptr, offset);
}

void noteMoved(uintptr_t from, size_t oldBytes, uintptr_t to, size_t bytes) {
  if (isSharedMemory(from, oldBytes)) { // its identity moves along
    uintptr_t identity = memoryIdentity(from);
    endMemory(from, oldBytes, "mremap");
    keep({to, bytes, ++serials});
    showAs(to, bytes, identity);
    return;
  }
  if (from != to) {
    endMemory(from, oldBytes, "mremap");
    cut(to, to + bytes);
    beginMemory(to, bytes);
  } else if (bytes > oldBytes) {
    beginMemory(to + oldBytes, bytes - oldBytes);
  } else {
    endMemory(to + bytes, oldBytes - bytes, "mremap");
  }
}

} // namespace

uint32_t mappingSerial(uintptr_t address) {
  for (uint32_t i = 0; i < mappingCount; ++i)
    if (address - mappings[i].address < mappings[i].bytes)
      return mappings[i].serial;
  return 0;
}

void unmapRunMappings() {
  for (uint32_t i = 0; i < mappingCount; ++i)
    rawSyscall(SYS_munmap, static_cast<long>(mappings[i].address),
               static_cast<long>(mappings[i].bytes));
}

} // namespace heddle::rt

using namespace heddle;
using namespace heddle::rt;

HEDDLE_INTERPOSE void* mmap(void* address, size_t bytes, int protection, int flags, int fd,
                            off_t offset) {
  long result = rawSyscall(SYS_mmap, asLong(address), static_cast<long>(bytes), protection, flags,
                           fd, offset);
  if (!controlled() || !succeeded(result))
    return reinterpret_cast<void*>(withErrno(result));
  bool writesFile = (flags & MAP_SHARED) && (protection & PROT_WRITE) && !(flags & MAP_ANONYMOUS);
  if (writesFile && isInherited(fd))
    noteNotRestorable("mmap of a file");
  noteMapped(static_cast<uintptr_t>(result), wholePages(bytes), flags, fd,
             static_cast<uint64_t>(offset));
  return reinterpret_cast<void*>(result);
}

HEDDLE_INTERPOSE void* mmap64(void* address, size_t bytes, int protection, int flags, int fd,
                              off64_t offset) {
  return mmap(address, bytes, protection, flags, fd, offset);
}

HEDDLE_INTERPOSE int munmap(void* address, size_t bytes) {
  if (controlled())
    comeToEnd(address, wholePages(bytes));
  long result = rawSyscall(SYS_munmap, asLong(address), static_cast<long>(bytes));
  if (controlled() && result == 0)
    endMemory(reinterpret_cast<uintptr_t>(address), wholePages(bytes), "munmap");
  return static_cast<int>(withErrno(result));
}

HEDDLE_INTERPOSE void* mremap(void* address, size_t oldBytes, size_t bytes, int flags, ...) {
  va_list list;
  va_start(list, flags);
  void* target = flags & MREMAP_FIXED ? va_arg(list, void*) : nullptr;
  va_end(list);
  if (controlled() && oldBytes != 0)
    comeToEnd(address, wholePages(oldBytes));
  long result = rawSyscall(SYS_mremap, asLong(address), static_cast<long>(oldBytes),
                           static_cast<long>(bytes), flags, asLong(target));
  if (controlled() && succeeded(result)) {
    auto from = reinterpret_cast<uintptr_t>(address);
    auto to = static_cast<uintptr_t>(result);
    if (oldBytes == 0 || (flags & MREMAP_FIXED) || (flags & MREMAP_DONTUNMAP))
      noteProcessChange("mremap");
    if (oldBytes == 0)
      noteSecondMapping(from, to, wholePages(bytes));
    else
      noteMoved(from, wholePages(oldBytes), to, wholePages(bytes));
  }
  return reinterpret_cast<void*>(withErrno(result));
}

/// A segment outlives the process, so that such a run cannot be undone.
HEDDLE_INTERPOSE void* shmat(int id, const void* address, int flags) {
  void* result = real::shmat(id, address, flags);
  constexpr uint64_t kSegments = ~0ull; // no device
  shmid_ds status;
  if (!controlled() || result == reinterpret_cast<void*>(-1))
    return result;
  noteNotRestorable("shmat");
  if (real::shmctl(id, IPC_STAT, &status) == 0)
    show(reinterpret_cast<uintptr_t>(result), wholePages(status.shm_segsz),
         {kSegments, static_cast<uint64_t>(id)}, 0);
  return result;
}

HEDDLE_INTERPOSE int shmdt(const void* address) {
  if (controlled()) {
    noteNotRestorable("shmdt");
    unshareMappingAt(reinterpret_cast<uintptr_t>(address));
  }
  return real::shmdt(address);
}

HEDDLE_INTERPOSE int mprotect(void* address, size_t bytes, int protection) {
  if (controlled() && !isOfRun(address, bytes))
    noteProcessChange("mprotect");
  return static_cast<int>(
      withErrno(rawSyscall(SYS_mprotect, asLong(address), static_cast<long>(bytes), protection)));
}

/// Advice that throws pages away changes what memory holds behind the snapshot's back.
HEDDLE_INTERPOSE int madvise(void* address, size_t bytes, int advice) {
  bool discards = advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE ||
                  advice == MADV_DONTFORK || advice == MADV_WIPEONFORK;
  if (controlled() && discards && !isOfRun(address, bytes))
    noteProcessChange("madvise");
  return static_cast<int>(
      withErrno(rawSyscall(SYS_madvise, asLong(address), static_cast<long>(bytes), advice)));
}

HEDDLE_INTERPOSE void* sbrk(intptr_t bytes) {
  if (controlled() && bytes != 0)
    noteProcessChange("sbrk");
  return real::sbrk(bytes);
}
