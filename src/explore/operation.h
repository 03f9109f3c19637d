#pragma once

#include "model/ids.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::explore {

/// A thread by its place in an order that is the same in all runs of the program. The smallest one
/// that can run goes first where nothing else is asked for.
using ThreadNumber = uint32_t;

/// What a thread does in one step, as far as others may notice it. docs/exploration.md has the
/// table of dependence, which `accessesOf` in sync_state.h and Execution implement.
enum class OperationKind : uint8_t {
  Read,
  Write,
  Update,          ///< reads and writes in one step
  CompareExchange, ///< an update if it succeeds, else a read
  Free,
  Acquire,
  TryAcquire,
  Release,
  AcquireShared,
  TryAcquireShared,
  ReleaseShared,
  Wait, ///< releases `second`, and waits for `object` from then on
  Wake, ///< the end of a wait: was notified, and acquires `second` again
  NotifyOne,
  NotifyAll,
  SemaphoreWait,
  SemaphoreTryWait,
  SemaphorePost,
  BarrierArrive,
  BarrierDepart,
  LatchCountDown,
  LatchWait,
  LatchTryWait,
  OnceBegin,
  OnceEnd,
  OnceCheck,   ///< looks whether it was done, and takes no part
  OnceAbandon, ///< the call that called ended without success: the next one calls
  LoadWord,    ///< words that threads wait on (futexes) are objects of synchronization
  StoreWord,
  UpdateWord,
  CompareExchangeWord,
  WordWait,   ///< compares the word with `expected`, and waits for a notification if it is equal
  WordResume, ///< the end of such a wait: was notified
  Spawn,
  Join,
  Exit,
  Fail, ///< the run ends here
};

constexpr bool isData(OperationKind kind) { return kind <= OperationKind::Free; }

/// One step of one thread. What it is (kind, object, range) is settled by the thread's own past;
/// its outcome and the value that it writes may depend on the step that it is taken at.
struct Operation {
  ThreadNumber thread = 0;
  OperationKind kind = OperationKind::Read;
  bool succeeded = true; ///< of what may fail: compare-exchange, try locks, try waits
  uint32_t argument = 0; ///< Spawn, Join: the thread meant; semaphores: first count; barriers and
                         ///< latches: how many are expected; words: what they begin with
  uint64_t object = 0;   ///< of synchronization; of data: the block of the heap, 0 if never freed
  uint64_t second = 0;   ///< the mutex of a Wait or Wake
  uint64_t address = 0;  ///< of data
  uint32_t size = 0;     ///< of data, bytes
  uint32_t choice = 0;   ///< NotifyOne: which of the waiters, in order of thread
  uint32_t choices = 1;  ///< how many there were
  uint64_t value = 0;    ///< of data: what it writes, or would write if it succeeded
  uint64_t observed = 0; ///< of data: what it reads
  uint64_t expected = 0; ///< of a compare-exchange, and of a wait on a word
  bool isOnWord = false; ///< notifications: of those who wait for a word
  bool isHalf = false;   ///< a point only with kPlanHalves
  bool isOrdered = true; ///< BarrierArrive: arrivals do not commute
  bool isValueKnown = true;    ///< whether `value` is
  bool isObservedKnown = true; ///< whether `observed` is
  SiteIdentity site = SiteIdentity::None;
};

/// What the program does next: a step of a thread, and for a NotifyOne the waiter that it takes.
struct Choice {
  ThreadNumber thread = 0;
  uint32_t choice = 0;
  bool operator==(const Choice&) const = default;
};

enum class Ending : uint8_t { Complete, Deadlock, Failure, Diverged };

/// A run as it was executed: the steps in order, what each thread that has not ended would do
/// next, and who could have gone on before each step (for the baselines).
struct Run {
  std::vector<Operation> operations;
  std::vector<Operation> pending; ///< in order of thread
  std::vector<std::vector<ThreadNumber>> enabled;
  Ending ending = Ending::Complete;
  std::string failure; ///< what went wrong, empty if nothing did
};

} // namespace heddle::explore
