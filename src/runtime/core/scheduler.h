#pragma once

#include "runtime/core/fiber.h"
#include "runtime/core/occurrence.h"

/// The heart of the runtime: one OS thread, many fibers, and a strategy that decides. The sync
/// model and the interceptors are written against this header and nothing else of the engine.
///
/// Between two calls of point()/blockOn()/yieldNow() nobody else runs: what stands between them is
/// atomic for the whole program, so models need no locks.
///
/// How a blocking primitive is written:
///
///   int lock(Mutex* m) {
///     point(EventKind::MutexLock, m);               // others may run first
///     while (realTryLock(m) == EBUSY)
///       blockOn(m, WaitKind::Mutex, kNoDeadline);   // somebody else runs; retry when woken
///     acquired(m);                                  // for reports, deadlock messages, traces
///     return 0;
///   }
///   int unlock(Mutex* m) {
///     point(EventKind::MutexUnlock, m);
///     released(m);
///     int error = realUnlock(m);
///     wakeAll(m, WaitKind::Mutex);                  // they compete again
///     return error;
///   }
namespace heddle::rt {

/// The running fiber; null before the runtime has started.
Fiber* self();
/// The fiber with this index, also after it has finished; null if there was none.
Fiber* fiberAt(ThreadIndex index);
uint32_t threadCount();

/// Whether the runtime controls the program. False before start, in a child of the program's own
/// fork(), and in a program started without heddle... in which case interceptors call the real
/// function.
bool controlled();

/// A scheduling point: the running fiber is about to execute `kind` on `object` (an address that
/// identifies what it touches; null if nothing). The strategy may run others first; on return the
/// fiber executes the operation. The site is the last call site (Fiber::callSite).
void point(EventKind kind, const void* object);
/// The same where the caller has counted the occurrence of its call site.
void point(EventKind kind, const void* object, Occurrence occurrence);
/// The same for an access to `size` bytes at `site`, whose occurrence the caller has counted.
void accessPoint(EventKind kind, const void* address, uint64_t size, SiteId site,
                 Occurrence occurrence);
/// The same before a block is freed, but only where the plan's target asks for it.
void freePoint(const void* block, uint64_t size);

/// A point before the second half of an operation, only where the plan asks for such
/// (kPlanHalves).
void halfPoint(EventKind kind, const void* object);
bool hasHalfPoints();

/// Gives way: somebody else runs if anybody can. For sched_yield and failed attempts in a spin.
void yieldNow(EventKind kind, const void* object);
/// Called when an attempt failed that a program will repeat and that only the world outside can
/// make succeed: after a few of them without anything else happening the fiber is made to yield.
void noteFutileAttempt(const void* object);

/// The running fiber was interrupted in code without hooks, in which it spins or computes for long
/// (unseen_spin.h): somebody else runs, or time passes. Returns when it is its turn again.
void breakUnseenSpin();

/// Blocks the running fiber in the queue of (object, kind) until woken or until virtual time
/// reaches `deadline`. Removes it from the queue in any case before it returns.
WakeReason blockOn(const void* object, WaitKind kind, uint64_t deadline);
/// Makes all waiters of (object, kind) runnable: they are expected to try again (locks). Until
/// they run they are not enabled while `taken(object, kind)` was called later.
void wakeAll(const void* object, WaitKind kind);
/// A lock was taken: waiters that were woken but have not run yet go back to waiting, so that the
/// strategy does not see threads as enabled that would only block again.
void taken(const void* object, WaitKind kind);
/// Hands over to one waiter, chosen by the strategy (default: first come); null if there is none.
/// The waiter's blockOn returns Woken, and it will not be asked to wait again.
Fiber* wakeOne(const void* object, WaitKind kind);
/// Hands over to all waiters; returns how many there were.
uint32_t wakeEach(const void* object, WaitKind kind);
/// Wakes this blocked fiber with a reason (cancellation, signals).
void wakeFiber(Fiber* fiber, WakeReason reason);
uint32_t waiterCount(const void* object, WaitKind kind);
/// Who waits there for the longest; Fiber::queueNext is who came after. Null when nobody waits.
Fiber* firstWaiter(const void* object, WaitKind kind);
/// Moves up to `count` waiters from one queue to another (futex requeue); returns how many.
uint32_t requeue(const void* from, const void* to, WaitKind kind, uint32_t count);

/// Records an event that is not a scheduling point of its own (woken, once done ...). It enters
/// digest and trace.
void note(EventKind kind, const void* object, uint8_t result);

/// Book-keeping of locks held by the running fiber; `shared` ones are held for reading.
void acquired(const void* object, bool shared = false);
/// The same for an initialization that others wait for: once, static variables.
void acquiredOnce(const void* object);
void released(const void* object);
bool holds(const void* object);
/// Who holds the object, or null.
Fiber* holderOf(const void* object);

/// Virtual time in nanoseconds since 1970 (CLOCK_REALTIME). CLOCK_MONOTONIC counts from
/// timeOrigin().
uint64_t now();
uint64_t timeOrigin();
/// Virtual time after a clock read: moves a little with every read, more when a thread only reads
/// clocks, so that loops that wait for time to pass end.
uint64_t readClock();

/// A fiber that blocks in the kernel: blockOn(ioWaitObject(), WaitKind::Io, deadline) after it has
/// put itself on this list; when nobody else can run, the scheduler calls `poll` with how long it
/// may really wait (nanoseconds, kNoDeadline for ever); poll wakes fibers by wakeFiber and says
/// whether it woke any. Set once by the I/O model.
const void* ioWaitObject();
using IoPoll = bool (*)(uint64_t maxNanos);
void setIoPoll(IoPoll poll);
/// Looks which of these waits have ended by what the running fiber has just done, or by the time
/// that has passed. By the I/O model.
void refreshIoWaits();

/// The stack that a thread is to have.
struct StackRequest {
  size_t bytes = 0;         ///< at least; 0: the default
  uintptr_t ownAddress = 0; ///< lowest byte of memory that the program gives for it; 0: none
};
/// Whether the address lies in memory that the program gave as a stack in this run.
bool inOwnStack(uintptr_t address);
/// Creates a fiber that will run start(argument); runnable at once. Returns null with errno-like
/// error when there are no donors left. Used by pthread_create's model only.
Fiber* createFiber(ThreadFunction start, void* argument, const StackRequest& stack, int& error);
/// The running fiber has ended (destructors have run): wakes who waits in (fiber, WaitKind::Join),
/// never returns. A detached fiber's donor is given back later by itself.
[[noreturn]] void finishFiber();
/// Joined or detached and finished: its donor can be used again.
void recycle(Fiber* fiber);
/// The fiber of a pthread_t (which is its TCB's address); null if unknown or recycled.
Fiber* fiberOf(uintptr_t pthreadSelf);

/// Ends the run from any fiber; never returns. Exit status as for exit().
[[noreturn]] void endRun(Outcome outcome, int exitStatus);

} // namespace heddle::rt
