#include "arena.h"
#include "file_model.h"
#include "io_wait.h"
#include "raw_syscall.h"
#include "real.h"
#include "scheduler.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/// Mappings that the run has made are unmapped at its end. What it does to others can not be
/// undone.
namespace heddle::rt {

namespace {

struct Mapping {
  uintptr_t address;
  size_t bytes;
};

constexpr uint32_t kMostMappings = 1024;
HEDDLE_LARGE Mapping mappings[kMostMappings];
uint32_t mappingCount = 0;

size_t wholePages(size_t bytes) { return (bytes + 4095) & ~static_cast<size_t>(4095); }

void remember(uintptr_t address, size_t bytes) {
  if (mappingCount == kMostMappings)
    return noteNotRestorable("mmap");
  mappings[mappingCount++] = {address, wholePages(bytes)};
}

/// The mapping of the run that contains the range, or null.
Mapping* find(uintptr_t address, size_t bytes) {
  for (uint32_t i = 0; i < mappingCount; ++i) {
    Mapping& m = mappings[i];
    if (address >= m.address && address + bytes <= m.address + m.bytes)
      return &m;
  }
  return nullptr;
}

/// Only whole mappings are forgotten: a part that is given back may be taken by anybody.
void forget(uintptr_t address, size_t bytes) {
  Mapping* m = find(address, bytes);
  if (!m || m->address != address || m->bytes != bytes)
    return noteNotRestorable("munmap");
  *m = mappings[--mappingCount];
}

bool isOfRun(const void* address, size_t bytes) {
  return find(reinterpret_cast<uintptr_t>(address), wholePages(bytes)) != nullptr;
}

} // namespace

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
  if (!controlled() || (result < 0 && result > -4096))
    return reinterpret_cast<void*>(withErrno(result));
  bool writesFile = (flags & MAP_SHARED) && (protection & PROT_WRITE) && !(flags & MAP_ANONYMOUS);
  if (writesFile && isInherited(fd))
    noteNotRestorable("mmap of a file");
  if ((flags & MAP_FIXED) && isOfRun(address, bytes))
    return reinterpret_cast<void*>(result);
  if (flags & MAP_FIXED)
    noteNotRestorable("mmap with MAP_FIXED");
  remember(static_cast<uintptr_t>(result), bytes);
  return reinterpret_cast<void*>(result);
}

HEDDLE_INTERPOSE void* mmap64(void* address, size_t bytes, int protection, int flags, int fd,
                              off64_t offset) {
  return mmap(address, bytes, protection, flags, fd, offset);
}

HEDDLE_INTERPOSE int munmap(void* address, size_t bytes) {
  long result = rawSyscall(SYS_munmap, asLong(address), static_cast<long>(bytes));
  if (controlled() && result == 0)
    forget(reinterpret_cast<uintptr_t>(address), wholePages(bytes));
  return static_cast<int>(withErrno(result));
}

HEDDLE_INTERPOSE void* mremap(void* address, size_t oldBytes, size_t bytes, int flags, ...) {
  va_list list;
  va_start(list, flags);
  void* target = flags & MREMAP_FIXED ? va_arg(list, void*) : nullptr;
  va_end(list);
  long result = rawSyscall(SYS_mremap, asLong(address), static_cast<long>(oldBytes),
                           static_cast<long>(bytes), flags, asLong(target));
  bool done = result >= 0 || result <= -4096;
  if (controlled() && done) {
    forget(reinterpret_cast<uintptr_t>(address), wholePages(oldBytes));
    remember(static_cast<uintptr_t>(result), bytes);
  }
  return reinterpret_cast<void*>(withErrno(result));
}

HEDDLE_INTERPOSE int mprotect(void* address, size_t bytes, int protection) {
  if (controlled() && !isOfRun(address, bytes))
    noteNotRestorable("mprotect");
  return static_cast<int>(
      withErrno(rawSyscall(SYS_mprotect, asLong(address), static_cast<long>(bytes), protection)));
}

/// Advice that throws pages away changes what memory holds behind the snapshot's back.
HEDDLE_INTERPOSE int madvise(void* address, size_t bytes, int advice) {
  bool discards = advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE ||
                  advice == MADV_DONTFORK || advice == MADV_WIPEONFORK;
  if (controlled() && discards && !isOfRun(address, bytes))
    noteNotRestorable("madvise");
  return static_cast<int>(
      withErrno(rawSyscall(SYS_madvise, asLong(address), static_cast<long>(bytes), advice)));
}

HEDDLE_INTERPOSE void* sbrk(intptr_t bytes) {
  if (controlled() && bytes != 0)
    noteNotRestorable("sbrk");
  return real::sbrk(bytes);
}
