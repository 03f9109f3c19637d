#pragma once

#include "model/batch.h"
#include "strategy/strategy.h"

#include <stddef.h>
#include <stdint.h>

/// A thread of the program: a fiber on a donor's stack, with that donor's TLS.
///
/// MEMORY RULE of the whole runtime: ordinary static variables and everything from arena.h's run
/// arena are RUN STATE: they belong to the snapshot and are rewound with the program's memory.
/// What must survive a run lives in persistent.h's struct.
namespace heddle::rt {

struct Donor;
struct WaitQueue;

using ThreadFunction = void* (*)(void*);

/// Why a blocked fiber runs again.
enum class WakeReason : uint8_t { Woken, TimedOut, Cancelled, Spurious };

inline constexpr uint64_t kNoDeadline = ~0ull;
/// In one run, those that have ended included. Traces have 16 bits for a thread.
inline constexpr uint32_t kMaxThreads = 65024;

struct Held {
  const void* object;
  SiteId site;
  uint32_t count; ///< recursive acquisitions, or read locks
  bool shared;    ///< for reading
  bool once;      ///< no lock, but an initialization that runs
};

/// An access at the plan's target that was executed, while nothing that its thread did since could
/// order it before what another thread does.
struct RecentAccess {
  PendingOperation operation; ///< roles 0: there is none
  uint32_t occurrence = 0;
  uintptr_t block = 0; ///< of the heap, in which it was; elsewhere the mapping's serial
  uint8_t generation = 0;
  uint32_t frameCount = 0;
  uint32_t frames[kMaxFrames];
};

/// A unit of work of the plan's pattern that a thread is in, or was.
struct UnitEntry {
  SiteId site = SiteId::None; ///< its entry
  uint32_t depth = 0;         ///< calls below it
  uint32_t serial = 0;        ///< tells entries apart; 0: never entered
  uint32_t size = 0;
  uint64_t object = 0;
};

/// Steps without a change after which a thread that does not repeat itself stands still.
inline constexpr uint64_t kPatience = 1 << 17;

/// What is known of a thread's progress since it last changed something (progress.cpp).
struct Watch {
  uint64_t steps = 0;
  // The state that was kept, and where.
  SiteId site = SiteId::None;
  uint32_t compared = 0;
  uint64_t address = 0;
  uint64_t kept = 0;   ///< registers that callees keep, and the stack,
  uint64_t quick = 0;  ///< the first part of it
  uint64_t others = 0; ///< other registers
  uint64_t keepNext = 0;
  uint64_t cycleBegan = 0;     ///< in steps of the thread,
  uint64_t cycleBeganStep = 0; ///< of the scheduler
  uint64_t period = 0;         ///< steps from one repetition to the next; 0: none was seen
  uint32_t leastHeld = 0;      ///< locks at any time of the cycle so far,
  uint32_t cycleHeld = 0;      ///< of the last one
  bool calls = false;          ///< functions, since the cycle began
  bool provable = true;        ///< the outside world had no part in it
  // A write whose outcome is looked at by the next step.
  uint32_t writeSize = 0;
  uint64_t writeAddress = 0;
  uint64_t writeValue = 0;
  // Standing still
  uint64_t futile = 0; ///< steps that touched no new memory
  uint64_t low = ~0ull;
  uint64_t high = 0;
  uint64_t patience = kPatience;
  SiteId turnSite = SiteId::None; ///< where it was when others had a turn
  uint64_t stoodAt = 0;           ///< scheduler step
  uint64_t repeatsFrom = 0;       ///< scheduler step at which the last repetition began
};

/// A thread that has run alone for long: the state that was kept of it, to see whether it only goes
/// round in a loop that others have to end (progress.cpp).
struct Round {
  SiteId site = SiteId::None;
  uint32_t compared = 0;
  uint64_t address = 0;
  uint64_t kept = 0;
  uint64_t quick = 0;
  uint64_t looksAgainAt = 0; ///< scheduler step
  bool looks = false;        ///< registers are wanted
};

struct ThinCount;

struct Fiber {
  ThreadView view; ///< must be first: strategies know only this

  // Sites that are thinned out, by number (thinning.h); null: there are none
  int32_t* skips = nullptr;
  ThinCount* thinCounts = nullptr;

  // Execution
  void* stackPointer = nullptr; ///< saved context while it does not run
  uintptr_t fsBase = 0;
  Donor* donor = nullptr;     ///< null for the main fiber
  intptr_t heap = 0;          ///< HeapState::current while it runs
  uint32_t droppedBlocks = 0; ///< freed by it while it had no heap
  uintptr_t ownStack = 0;     ///< lowest byte of a stack that the program gave; 0: the donor's
  size_t ownStackBytes = 0;
  ThreadState state = ThreadState::Runnable;

  // Where it is
  SiteId callSite = SiteId::None; ///< last call that matters, set by __heddle_call
  SiteId createSite = SiteId::None;
  const uint32_t** shadowBase = nullptr; ///< shadow stack of call sites
  const uint32_t** shadowTop = nullptr;  ///< saved while it does not run
  uint32_t createFrameCount = 0;
  uint32_t createFrames[kMaxFrames];

  // Waiting
  WaitKind waitKind = WaitKind::None;
  const void* waitObject = nullptr;
  WaitQueue* queue = nullptr; ///< the queue it stands in, while blocked
  Fiber* queueNext = nullptr;
  Fiber* queuePrevious = nullptr;
  uint64_t deadline = kNoDeadline; ///< virtual nanoseconds
  WakeReason wakeReason = WakeReason::Woken;
  bool retryable = false; ///< woken to try again for a lock that may be taken first by others

  Watch watch;
  Round round;
  uint64_t enabledAt = 0;             ///< step at which it became able to run
  const void* futileObject = nullptr; ///< attempts at it failed,
  uint32_t futileCount = 0;           ///< so often in a row

  // Spinning where no hook sees it (unseen_spin.cpp)
  uint32_t unseenBreaks = 0; ///< in a row, without proof that it repeats itself
  uint64_t spinKey = 0;      ///< the state in which it was proven last
  uint64_t spinProvenAt = 0; ///< step

  uint32_t targetOccurrence = 0; ///< of its site, while it is at the plan's target
  RecentAccess recent;
  uintptr_t unseenFrame = 0; ///< of the outermost call into unseen code that has not returned; or 0
  UnitEntry units[2];        ///< as u and as u'
  uint32_t windows = 0;      ///< of the pattern in which it takes part

  // Life (thread_model.cpp)
  Fiber* parent = nullptr;
  uint32_t ordinal = 0;  ///< n-th child of its parent
  uint32_t children = 0; ///< created so far
  ThreadFunction start = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  bool detached = false;
  bool finished = false;
  bool joined = false;
  bool cancelRequested = false;
  bool cancelEnabled = true;
  bool cancelAsynchronous = false;
  void* cancelBuffer = nullptr;   ///< where pthread_exit lands (glibc's unwind buffer)
  void* tlsDestructors = nullptr; ///< list of __cxa_thread_atexit_impl entries, newest first
  void** keyValues = nullptr;     ///< pthread_setspecific, allocated on first use
  Random* random = nullptr;       ///< what it gets from the kernel, allocated on first use
  uint64_t signalMask = 0;
  uint64_t pendingSignals = 0;
  char name[16] = {};

  // A write whose value is not known before it has happened: read at the thread's next event.
  uint64_t pendingValueAddress = 0;
  uint32_t pendingValueSize = 0;
  SiteId pendingValueSite = SiteId::None;

  // The atomic operation or fence that it is about to execute; see __heddle_atomic.
  PackedOrders atomicOrders = 0;
  uint64_t atomicExpected = 0; ///< also of waits on futexes; of wake-ups how many they take

  SiteId tracedCaller = SiteId::None; ///< of its last Call event
  uint32_t* tracedFrames = nullptr; ///< its call stack as the trace has it, allocated on first use
  uint32_t tracedDepth = 0;
  uint64_t createdAt = 0; ///< event clock, for learn.cpp
  Fiber* joinedBy = nullptr;
  uint64_t joinedAt = 0;

  // Locks held, for reports and for candidates later on
  Held held[kMaxHeldLocks];
  uint32_t heldCount = 0;

  ThreadIndex index() const { return view.index; }
};

} // namespace heddle::rt
