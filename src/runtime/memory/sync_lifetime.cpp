#include "runtime/memory/sync_lifetime.h"

#include "runtime/base/arena.h"
#include "runtime/base/message.h"
#include "runtime/base/real.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/memory/donor.h"
#include "runtime/memory/shared_memory.h"

#include <stdarg.h>
#include <string.h>
#include <ucontext.h>

namespace heddle::rt {

namespace {

/// What stands in a destroyed object. The third word stays as libc has it: a mutex has its kind
/// there, which libc makes invalid.
struct Mark {
  uint64_t magic;
  uint64_t place; ///< tells a mark from a copy of one
  uint64_t libc;
  uint32_t site;
  uint32_t thread;
};
static_assert(sizeof(Mark) == kMarkedBytes);
constexpr uint64_t kMagic = 0x64657374726f7965;

uint64_t placeWord(const void* object) { return ~reinterpret_cast<uintptr_t>(object); }

bool isMarked(const void* object, Mark& mark) {
  memcpy(&mark, object, sizeof mark);
  return mark.magic == kMagic && mark.place == placeWord(object);
}

/// Kinds whose object is one of libc's that are destroyed by a call.
bool isDestroyable(EventKind kind) {
  switch (kind) {
  case EventKind::MutexLock:
  case EventKind::MutexTryLock:
  case EventKind::MutexUnlock:
  case EventKind::ReadLock:
  case EventKind::WriteLock:
  case EventKind::RwUnlock:
  case EventKind::CondWait:
  case EventKind::CondSignal:
  case EventKind::CondBroadcast:
  case EventKind::BarrierWait:
  case EventKind::SemWait:
  case EventKind::SemPost:
    return true;
  default:
    return false;
  }
}

/// The program switches stacks itself: where its threads' stacks end is not known.
bool ownContexts = false;

struct StackRange {
  uintptr_t low;
  uintptr_t top;
  bool contains(uintptr_t at) const { return at >= low && at < top; }
};

/// The part of a thread's stack that has frames of the program: not its thread-local variables.
StackRange framesOf(const Donor* donor) {
  return {donor->stackLow, reinterpret_cast<uintptr_t>(donor->parked)};
}

bool anybodyStandsIn(const StackRange& range) {
  for (uint32_t i = 0; i < scheduler.threads; ++i) {
    const Fiber* fiber = scheduler.fibers[i];
    if (!fiber->finished && range.contains(reinterpret_cast<uintptr_t>(fiber->stackPointer)))
      return true;
  }
  return false;
}

/// Whether the address lies deeper on the stack than its thread stands.
bool isBelow(const Fiber* fiber, const StackRange& range, uintptr_t at) {
  auto pointer = reinterpret_cast<uintptr_t>(fiber->stackPointer);
  return fiber != scheduler.current && range.contains(pointer) && at < pointer;
}

bool isInReturnedFrame(uintptr_t at) {
  if (StackRange main{kMainStackBase, kMainShadowBase}; main.contains(at)) {
    const Fiber* fiber = scheduler.fibers[0];
    return !fiber->finished && isBelow(fiber, main, at);
  }
  const Donor* donor = donorAt(at);
  if (!donor || !framesOf(donor).contains(at))
    return false;
  if (!donor->fiber || donor->fiber->finished)
    return !anybodyStandsIn(framesOf(donor));
  return isBelow(donor->fiber, framesOf(donor), at);
}

ThreadIndex threadOf(uint32_t index) {
  return index < scheduler.threads ? static_cast<ThreadIndex>(index) : ThreadIndex::None;
}

const char* articleFor(EventKind kind) {
  switch (kind) {
  case EventKind::CondWait:
  case EventKind::CondSignal:
  case EventKind::CondBroadcast:
    return "a condition variable";
  case EventKind::ReadLock:
  case EventKind::WriteLock:
  case EventKind::RwUnlock:
    return "a read-write lock";
  case EventKind::BarrierWait:
    return "a barrier";
  case EventKind::SemWait:
  case EventKind::SemPost:
    return "a semaphore";
  default:
    return "a mutex";
  }
}

bool holdsLock(const Fiber* fiber, const void* identity) {
  for (uint32_t i = 0; i < fiber->heldCount; ++i)
    if (fiber->held[i].object == identity)
      return true;
  return false;
}

[[noreturn]] void failDestroyed(const void* object, EventKind kind, SiteId site, const Mark& mark) {
  MemoryFault fault;
  fault.address = object;
  fault.site = site;
  fault.freeSite = static_cast<SiteId>(mark.site);
  fault.freeThread = threadOf(mark.thread);
  failMemory(formatMessage("use after destruction: %s of %s at %p that was destroyed by T%u",
                           eventKindText(kind), articleFor(kind), object, mark.thread),
             fault);
}

} // namespace

void markDestroyed(void* object) {
  if (!scheduler.checkHeap)
    return;
  Mark mark;
  memcpy(&mark, object, sizeof mark);
  const Fiber* fiber = scheduler.current;
  mark.magic = kMagic;
  mark.place = placeWord(object);
  mark.site = raw(fiber->callSite);
  mark.thread = raw(fiber->index());
  memcpy(object, &mark, sizeof mark);
}

void checkForeignStack(const void* address, const char* what, SiteId site) {
  if (ownContexts || !scheduler.controlled ||
      !isInReturnedFrame(reinterpret_cast<uintptr_t>(address)))
    return;
  MemoryFault fault;
  fault.address = address;
  fault.site = site;
  failMemory(formatMessage("stack-use-after-return: %s at %p, in a frame of another thread's stack "
                           "that has returned",
                           what, address),
             fault);
}

void checkSyncLifetime(const void* object, EventKind kind, SiteId site) {
  constexpr uintptr_t kNoObject = 4096; // libc's function runs into it, as without heddle
  if (!isDestroyable(kind) || reinterpret_cast<uintptr_t>(object) < kNoObject)
    return;
  Mark mark;
  if (isMarked(object, mark))
    failDestroyed(object, kind, site, mark);
}

void checkUnused(const void* object, const char* what) {
  if (!scheduler.checkHeap)
    return;
  const void* identity = memoryIdentity(object);
  Mark mark;
  if (isMarked(object, mark))
    failDestroyed(object, EventKind::MutexLock, scheduler.current->callSite, mark);
  for (uint32_t i = 0; i < scheduler.threads; ++i) {
    const Fiber* fiber = scheduler.fibers[i];
    bool waits = fiber->state == ThreadState::Blocked && fiber->waitObject == identity;
    bool uses = fiber != scheduler.current && (waits || holdsLock(fiber, identity));
    if (!uses)
      continue;
    MemoryFault fault;
    fault.address = object;
    failMemory(formatMessage("destroyed while in use: T%u destroys %s at %p, which T%u %s",
                             raw(scheduler.current->index()), what, object, raw(fiber->index()),
                             waits ? "waits for" : "holds"),
               fault);
  }
}

} // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_INTERPOSE int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  if (!controlled())
    return real::pthread_mutex_destroy(mutex);
  checkUnused(mutex, "a mutex");
  int error = real::pthread_mutex_destroy(mutex);
  if (error == 0)
    markDestroyed(mutex);
  return error;
}

HEDDLE_INTERPOSE int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  if (!controlled())
    return real::pthread_rwlock_destroy(lock);
  checkUnused(lock, "a read-write lock");
  int error = real::pthread_rwlock_destroy(lock);
  if (error == 0)
    markDestroyed(lock);
  return error;
}

HEDDLE_INTERPOSE int sem_destroy(sem_t* semaphore) {
  if (!controlled())
    return real::sem_destroy(semaphore);
  checkUnused(semaphore, "a semaphore");
  int result = real::sem_destroy(semaphore);
  if (result == 0)
    markDestroyed(semaphore);
  return result;
}

HEDDLE_INTERPOSE void makecontext(ucontext_t* context, void (*entry)(), int count, ...) {
  ownContexts = true;
  constexpr int kMost = 16;
  long a[kMost] = {};
  va_list list;
  va_start(list, count);
  for (int i = 0; i < count && i < kMost; ++i)
    a[i] = va_arg(list, long); // programs pass pointers, too
  va_end(list);
  real::makecontext(context, entry, count, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8],
                    a[9], a[10], a[11], a[12], a[13], a[14], a[15]);
}
