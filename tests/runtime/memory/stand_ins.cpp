#include "stand_ins.h"

#include "runtime/base/persistent.h"
#include "runtime/base/process_end.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/memory/sync_lifetime.h"

#include <setjmp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/// What the heap needs of the engine, in a form that a unit test can look at.
namespace heddle::rt {

SchedulerState scheduler;

namespace {
jmp_buf* catcher = nullptr;
CaughtFault caught;
} // namespace

bool controlled() { return catcher != nullptr; }
Fiber* self() { return scheduler.current; }
Persistent& persistent() {
  static Persistent state;
  return state;
}
void note(EventKind, const void*, uint8_t) {}

void checkForeignStack(const void*, const char*, SiteId) {}
void checkSyncLifetime(const void*, EventKind, SiteId) {}
void freePoint(const void*, uint64_t) {}

void failMemory(const char* message, const MemoryFault& fault) {
  caught.failed = true;
  caught.fault = fault;
  strncpy(caught.message, message, sizeof caught.message - 1);
  longjmp(*catcher, 1);
}

namespace {
void writeErrorAndStop(const char* message) {
  rawSyscall(SYS_write, 2, asLong(message), static_cast<long>(strlen(message)));
  rawSyscall(SYS_exit_group, 99);
}
} // namespace

void abortForReal() {
  writeErrorAndStop("abort\n");
  __builtin_unreachable();
}

void* mapFixed(uintptr_t address, size_t bytes, const char* what) {
  long result = rawSyscall(
      SYS_mmap, static_cast<long>(address), static_cast<long>(bytes), PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (result != static_cast<long>(address))
    writeErrorAndStop(what);
  return reinterpret_cast<void*>(address);
}

void* runAllocate(size_t bytes) {
  alignas(64) static char arena[1 << 20];
  static size_t used = 0;
  used += (bytes + 63) & ~size_t{63};
  if (used > sizeof arena)
    writeErrorAndStop("the test's arena is full\n");
  return arena + used - ((bytes + 63) & ~size_t{63});
}

CaughtFault catchFault(void (*action)(void*), void* argument) {
  jmp_buf here;
  caught = {};
  catcher = &here;
  if (setjmp(here) == 0)
    action(argument);
  catcher = nullptr;
  return caught;
}

} // namespace heddle::rt
