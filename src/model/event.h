#pragma once

#include "ids.h"
#include "memory_order.h"

#include <stdint.h>

namespace heddle {

/// What a thread does at a scheduling point, and what an event in a trace says.
/// X(name, text, isWrite, isSync)
#define HEDDLE_EVENT_KINDS(X)                                                                      \
  X(Read, "read", 0, 0)                                                                            \
  X(Write, "write", 1, 0)                                                                          \
  X(AtomicRead, "atomic read", 0, 0)                                                               \
  X(AtomicWrite, "atomic write", 1, 0)                                                             \
  X(AtomicUpdate, "atomic update", 1, 0)                                                           \
  X(Fence, "fence", 0, 0)                                                                          \
  X(Spin, "spin", 0, 0)                                                                            \
  X(ThreadStart, "start", 0, 1)                                                                    \
  X(ThreadExit, "exit", 0, 1)                                                                      \
  X(ThreadCreate, "create", 0, 1)                                                                  \
  X(ThreadJoin, "join", 0, 1)                                                                      \
  X(ThreadDetach, "detach", 0, 1)                                                                  \
  X(ThreadCancel, "cancel", 0, 1)                                                                  \
  X(MutexLock, "lock", 1, 1)                                                                       \
  X(MutexTryLock, "try lock", 1, 1)                                                                \
  X(MutexUnlock, "unlock", 1, 1)                                                                   \
  X(ReadLock, "read lock", 1, 1)                                                                   \
  X(WriteLock, "write lock", 1, 1)                                                                 \
  X(RwUnlock, "rwlock unlock", 1, 1)                                                               \
  X(SpinLock, "spin lock", 1, 1)                                                                   \
  X(SpinUnlock, "spin unlock", 1, 1)                                                               \
  X(CondWait, "wait", 1, 1)                                                                        \
  X(CondWake, "woken", 1, 1)                                                                       \
  X(CondSignal, "signal", 1, 1)                                                                    \
  X(CondBroadcast, "broadcast", 1, 1)                                                              \
  X(BarrierWait, "barrier", 1, 1)                                                                  \
  X(SemWait, "semaphore wait", 1, 1)                                                               \
  X(SemPost, "semaphore post", 1, 1)                                                               \
  X(OnceBegin, "once", 1, 1)                                                                       \
  X(OnceEnd, "once done", 1, 1)                                                                    \
  X(GuardAcquire, "static init", 1, 1)                                                             \
  X(GuardRelease, "static init done", 1, 1)                                                        \
  X(FutexWait, "futex wait", 1, 1)                                                                 \
  X(FutexWake, "futex wake", 1, 1)                                                                 \
  X(Sleep, "sleep", 0, 1)                                                                          \
  X(Yield, "yield", 0, 1)                                                                          \
  X(ClockRead, "clock", 0, 1)                                                                      \
  X(Io, "i/o", 1, 1)                                                                               \
  X(Allocate, "allocate", 1, 1)                                                                    \
  X(Free, "free", 1, 1)                                                                            \
  X(Exit, "exit process", 0, 1)                                                                    \
  X(Value, "value", 0, 0)                                                                          \
  X(Call, "call", 0, 0)                                                                            \
  X(Return, "return", 0, 0)                                                                        \
  X(Enter, "enter", 0, 0)                                                                          \
  X(Frame, "frame", 0, 0)                                                                          \
  X(UnseenCall, "unseen call", 0, 0)                                                               \
  X(Release, "release", 1, 1)                                                                      \
  X(Acquire, "acquire", 1, 1)                                                                      \
  X(BarrierLeave, "barrier passed", 0, 1)                                                          \
  X(Failure, "failure", 1, 1)                                                                      \
  X(FutexLeave, "futex wait done", 0, 1)

enum class EventKind : uint8_t {
#define HEDDLE_EVENT_ENUM(name, text, isWrite, isSync) name,
  HEDDLE_EVENT_KINDS(HEDDLE_EVENT_ENUM)
#undef HEDDLE_EVENT_ENUM
};

constexpr const char* eventKindText(EventKind kind) {
  switch (kind) {
#define HEDDLE_EVENT_TEXT(name, text, isWrite, isSync)                                             \
  case EventKind::name:                                                                            \
    return text;
    HEDDLE_EVENT_KINDS(HEDDLE_EVENT_TEXT)
#undef HEDDLE_EVENT_TEXT
  }
  return "unknown";
}

/// Whether executing it may change what another operation on the same object sees.
constexpr bool isWrite(EventKind kind) {
  switch (kind) {
#define HEDDLE_EVENT_WRITE(name, text, write, isSync)                                              \
  case EventKind::name:                                                                            \
    return write;
    HEDDLE_EVENT_KINDS(HEDDLE_EVENT_WRITE)
#undef HEDDLE_EVENT_WRITE
  }
  return false;
}

/// Whether it is a call into the sync model (always a scheduling point) and not a memory access.
constexpr bool isSync(EventKind kind) {
  switch (kind) {
#define HEDDLE_EVENT_SYNC(name, text, write, sync)                                                 \
  case EventKind::name:                                                                            \
    return sync;
    HEDDLE_EVENT_KINDS(HEDDLE_EVENT_SYNC)
#undef HEDDLE_EVENT_SYNC
  }
  return false;
}

/// Result of the events that follow, with values on, a notification: one for each thread that it
/// wakes, which `size` names. None follows when nobody waits.
inline constexpr uint8_t kEventWakes = 0xff;

/// Of the events of a run of an exploration (kPlanExplore).
/// Result of those at the end: what a thread that has not ended would do next.
inline constexpr uint8_t kEventPending = 0xfe;
/// Result of Value events, which have 64 bits: the lower 48 in `address`, the others in `size`.
enum ValueRole : uint8_t { kValueObserved = 1, kValueExpected, kValueWritten };
/// `size` of events of sync operations that tell how an operation went on.
inline constexpr uint16_t kEventNote = 1;

/// Whether it wakes those who wait for its object.
constexpr bool isNotification(EventKind kind) {
  return kind == EventKind::CondSignal || kind == EventKind::CondBroadcast ||
         kind == EventKind::FutexWake;
}

/// Whether it is about another thread, which its event names in `size`.
constexpr bool concernsThread(EventKind kind) {
  return kind == EventKind::ThreadCreate || kind == EventKind::ThreadJoin ||
         kind == EventKind::ThreadDetach || kind == EventKind::ThreadCancel;
}

/// One event of a trace as the runtime writes it. Kind Value carries, in `address`, the value that
/// the previous access of the same thread read or wrote. Kind Call names, with values on, the
/// innermost call site in the program's own code for the thread's next event, whose site is not.
/// With callers on it names that for all events of the thread up to the next Call (site 0: none),
/// of accesses only for those with kAccessInLibrary: the others are in the program's own code.
struct Event {
  uint64_t address : 48;
  uint64_t kind : 8;
  uint64_t result : 8; ///< of sync operations the outcome, of accesses and fences AccessBits, of
                       ///< Allocate and Free the unit of `size`
  uint32_t site;       ///< SiteId of the run; see batch.h for the table that resolves it
  uint32_t thread : 16;
  uint32_t size : 16; ///< bytes, saturated; of a thread that is meant: its index + 1, 0 unknown
};
static_assert(sizeof(Event) == 16, "10 million of these must stay cheap");

/// What `result` says of accesses and fences: these bits, and the MemoryOrder of atomic operations
/// and fences in three more.
enum AccessBits : uint8_t {
  kAccessInLibrary = 1, ///< with callers on: the site is in library code
  kAccessAssembly = 32, ///< by inline assembly: what the processor promises orders it
  kAccessFailed = 16,   ///< a compare-exchange that finds another value, and writes nothing
};
inline constexpr unsigned kAccessOrderShift = 1;

constexpr uint8_t orderBits(MemoryOrder order) {
  return static_cast<uint8_t>(static_cast<uint8_t>(order) << kAccessOrderShift);
}
constexpr MemoryOrder orderOf(const Event& event) {
  return static_cast<MemoryOrder>(event.result >> kAccessOrderShift & 7);
}

/// Whether memory begins or ends: a block of the heap, or a mapping.
constexpr bool isLifetime(EventKind kind) {
  return kind == EventKind::Allocate || kind == EventKind::Free;
}

/// How an operation ended: 0 ok, else like errno (EBUSY of a try lock ...). Accesses just happen,
/// and so do Allocate and Free.
constexpr uint8_t outcomeOf(const Event& event) {
  auto kind = static_cast<EventKind>(event.kind);
  return isSync(kind) && !isLifetime(kind) ? static_cast<uint8_t>(event.result) : 0;
}

/// Bytes of memory that begins or ends: blocks are larger than what `size` holds, so that it counts
/// units of 2^result bytes. What begins is rounded up and what ends is rounded down: nothing is
/// said to be used still that is new memory.
constexpr uint64_t lifetimeBytes(const Event& event) {
  return static_cast<uint64_t>(event.size) << event.result;
}
constexpr void setLifetimeBytes(Event& event, uint64_t bytes) {
  constexpr uint64_t most = 0xffff;
  bool up = static_cast<EventKind>(event.kind) == EventKind::Allocate;
  uint8_t shift = 0;
  auto units = [&] { return (bytes + (up ? (1ull << shift) - 1 : 0)) >> shift; };
  while (units() > most)
    ++shift;
  event.size = static_cast<uint16_t>(units());
  event.result = shift;
}

} // namespace heddle
