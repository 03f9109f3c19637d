#include "runtime/memory/donor.h"

#include "runtime/base/arena.h"
#include "runtime/base/context.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/fiber.h"
#include "runtime/core/scheduler_entry.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/memory/heap.h"

#include <errno.h>
#include <link.h>
#include <linux/futex.h>
#include <new>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {

constexpr size_t kDefaultStackBytes = 8ull << 20;
constexpr uint32_t kFakeTidBase = 0x10000000; ///< above real tids, below the futex flag bits
constexpr size_t kDescriptorBytes = 2304;     ///< struct pthread of glibc, at least

Donor* freeDonors = nullptr;
uint32_t freeCount = 0;
uint32_t created = 0;
uint32_t nextSlot = 0;
uint32_t taken = 0;                        ///< donors given out so far
HEDDLE_LARGE Donor* slots[kMaxStackSlots]; ///< donor by stack slot; a large stack takes several
size_t tidOffset = 0; ///< of the tid in the thread descriptor, found by looking for it
int mainTid = 0;      ///< of the process in which the main fiber was adopted

/// Where a thread descriptor has the tid. A tid may equal half of a pointer by chance (the high
/// half of a stack's address is small), so the place must have it in the main thread's too.
size_t findTid(uintptr_t fsBase, int tid) {
  uintptr_t mainBase = scheduler.fibers[0]->fsBase;
  auto at = [](uintptr_t base, size_t offset) { return *reinterpret_cast<int*>(base + offset); };
  for (size_t offset = 0; offset + 4 <= kDescriptorBytes; offset += 4)
    if (at(fsBase, offset) == tid && at(mainBase, offset) == mainTid)
      return offset;
  return 0;
}

/// Runs on the donor's own OS thread first, and again as a fiber each time the donor is used.
void* donorEntry(void* argument) {
  auto* donor = static_cast<Donor*>(argument);
  donor->fsBase = readFsBase();
  if (tidOffset == 0)
    tidOffset = findTid(donor->fsBase, static_cast<int>(rawSyscall(SYS_gettid)));
  heddlePark(&donor->parked, &donor->gone);
  fiberMain(donor->fiber);
}

void waitUntilGone(Donor* donor) {
  while (int value = __atomic_load_n(&donor->gone, __ATOMIC_ACQUIRE))
    rawSyscall(SYS_futex, asLong(&donor->gone), FUTEX_WAIT, value, 0, 0, 0);
}

/// glibc compares tids to find the owner of a mutex: no two threads of a run may have the same,
/// not even one after the other.
Donor* withUniqueTid(Donor* donor) {
  if (tidOffset != 0)
    *reinterpret_cast<uint32_t*>(donor->fsBase + tidOffset) = kFakeTidBase + taken++;
  return donor;
}

void keepPristine(Donor* donor) {
  auto from = reinterpret_cast<uintptr_t>(donor->parked);
  donor->pristineBytes = donor->stackLow + donor->stackBytes - from;
  donor->pristine = runAllocate(donor->pristineBytes);
  memcpy(donor->pristine, donor->parked, donor->pristineBytes);
}

int startGhost(Donor* donor) {
  InternalAllocation guard;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, reinterpret_cast<void*>(donor->stackLow), donor->stackBytes);
  uint64_t all = ~0ull;
  uint64_t old = 0;
  rawSyscall(SYS_rt_sigprocmask, SIG_SETMASK, asLong(&all), asLong(&old), 8);
  pthread_t handle;
  int error = real::pthread_create(&handle, &attributes, donorEntry, donor);
  if (error == 0)
    waitUntilGone(donor);
  rawSyscall(SYS_rt_sigprocmask, SIG_SETMASK, asLong(&old), 0, 8);
  pthread_attr_destroy(&attributes);
  return error;
}

int addThreadLocals(dl_phdr_info* info, size_t, void* sum) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type == PT_TLS)
      *static_cast<size_t*>(sum) += header.p_memsz + header.p_align;
  }
  return 0;
}

/// What thread_local variables take of a stack that libc is given; for its own stacks it adds that.
/// The usual few kilobytes are not worth stacks of another size.
size_t threadLocalBytes() {
  constexpr size_t kUsual = 64 << 10;
  size_t sum = 0;
  dl_iterate_phdr(addThreadLocals, &sum);
  return sum < kUsual ? 0 : sum;
}

Donor* createDonor(size_t stackBytes, int& error) {
  size_t wanted = (stackBytes + threadLocalBytes() + 4095) & ~size_t{4095};
  size_t whole = kGuardBytes + wanted + shadowBytes(wanted);
  auto need = static_cast<uint32_t>((whole + kStackStride - 1) / kStackStride);
  if (nextSlot + need > kMaxStackSlots)
    loseControl("the stacks of the program's threads take more than 1 TiB of addresses, and heddle "
                "has no more room for them: use smaller stacks or fewer threads at the same time");
  auto* donor = new (runAllocate(sizeof(Donor))) Donor;
  donor->stackLow = kStackBase + nextSlot * kStackStride + kGuardBytes;
  donor->stackBytes = wanted;
  mapFixed(donor->stackLow, wanted + shadowBytes(wanted), "a thread's stack");
  error = startGhost(donor);
  if (error != 0)
    return nullptr;
  for (uint32_t i = 0; i < need; ++i)
    slots[nextSlot + i] = donor;
  nextSlot += need;
  ++created;
  keepPristine(donor);
  return donor;
}

/// Dynamic TLS blocks of the previous user are freed, so that the next one finds fresh ones. The
/// layout is glibc's: dtv[-1] is the length, entries are {value, to_free}, -1 is unallocated.
void resetDynamicTls(uintptr_t fsBase) {
  struct Entry {
    uintptr_t value;
    void* toFree;
  };
  auto* table = reinterpret_cast<Entry**>(fsBase)[1];
  auto length = static_cast<size_t>(table[-1].value);
  for (size_t i = 1; i <= length; ++i)
    if (table[i].toFree) {
      free(table[i].toFree);
      table[i] = {~uintptr_t{0}, nullptr};
    }
}

} // namespace

void rememberMainTid() { mainTid = static_cast<int>(rawSyscall(SYS_gettid)); }

bool reserveDonors(uint32_t count) {
  while (freeCount < count) {
    int error = 0;
    Donor* donor = createDonor(kDefaultStackBytes, error);
    if (!donor)
      return false;
    // At the end of the list: donors are taken in order of creation, pool or not.
    Donor** end = &freeDonors;
    while (*end)
      end = &(*end)->next;
    *end = donor;
    ++freeCount;
  }
  return true;
}

Donor* takeDonor(size_t stackBytes, int& error) {
  for (Donor** link = &freeDonors; *link; link = &(*link)->next)
    if ((*link)->stackBytes >= stackBytes) {
      Donor* donor = *link;
      *link = donor->next;
      donor->next = nullptr;
      --freeCount;
      return withUniqueTid(donor);
    }
  Donor* donor =
      createDonor(stackBytes > kDefaultStackBytes ? stackBytes : kDefaultStackBytes, error);
  return donor ? withUniqueTid(donor) : nullptr;
}

void returnDonor(Donor* donor) {
  resetDynamicTls(donor->fsBase);
  auto* dtv = reinterpret_cast<void**>(donor->fsBase)[1];
  memcpy(donor->parked, donor->pristine, donor->pristineBytes);
  reinterpret_cast<void**>(donor->fsBase)[1] = dtv;
  donor->fiber = nullptr;
  donor->next = freeDonors;
  freeDonors = donor;
  ++freeCount;
}

Donor* donorAt(uintptr_t address) {
  if (address < kStackBase)
    return nullptr;
  uintptr_t slot = (address - kStackBase) / kStackStride;
  return slot < nextSlot ? slots[slot] : nullptr;
}

uint32_t donorCount() { return created; }

uint32_t donorsInUse() { return created - freeCount; }

} // namespace heddle::rt
