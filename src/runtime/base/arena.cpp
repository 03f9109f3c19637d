#include "runtime/base/arena.h"

#include "runtime/base/raw_syscall.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {

uintptr_t arenaNext = 0;

[[noreturn]] void dieEarly(const char* what) {
  const char text[] = "heddle: cannot map memory for ";
  rawSyscall(SYS_write, 2, asLong(text), sizeof text - 1);
  rawSyscall(SYS_write, 2, asLong(what), static_cast<long>(strlen(what)));
  const char advice[] = " at its fixed address; is the address space limited (ulimit -v)?\n";
  rawSyscall(SYS_write, 2, asLong(advice), sizeof advice - 1);
  rawSyscall(SYS_exit_group, 3);
  __builtin_unreachable();
}

void* mapAt(uintptr_t address, size_t bytes, int sharing, const char* what) {
  long result = rawSyscall(SYS_mmap, static_cast<long>(address), static_cast<long>(bytes),
                           PROT_READ | PROT_WRITE,
                           sharing | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (result != static_cast<long>(address))
    dieEarly(what);
  return reinterpret_cast<void*>(address);
}

} // namespace

void* mapFixed(uintptr_t address, size_t bytes, const char* what) {
  void* memory = mapAt(address, bytes, MAP_PRIVATE, what);
  // Rewinding copies the pages that a run wrote to: they must stay small.
  rawSyscall(SYS_madvise, static_cast<long>(address), static_cast<long>(bytes), MADV_NOHUGEPAGE);
  return memory;
}

void* mapShared(uintptr_t address, size_t bytes, const char* what) {
  return mapAt(address, bytes, MAP_SHARED, what);
}

void* runAllocate(size_t bytes) {
  if (arenaNext == 0) {
    mapFixed(kRunArenaBase, kRunArenaBytes, "the runtime's arena");
    arenaNext = kRunArenaBase;
  }
  uintptr_t result = arenaNext;
  arenaNext += (bytes + 63) & ~size_t{63};
  if (arenaNext > kRunArenaBase + kRunArenaBytes)
    dieEarly("more than 4 GiB of the runtime's own state");
  return reinterpret_cast<void*>(result);
}

uintptr_t runArenaTop() { return arenaNext; }

} // namespace heddle::rt
