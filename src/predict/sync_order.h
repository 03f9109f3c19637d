#pragma once

#include "model/event.h"
#include "predict/lock_sets.h"
#include "predict/vector_clock.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace heddle {

/// What the sync operations of a trace say about order. Two relations are kept:
///
/// - `must`: order in every interleaving that makes the same operations succeed: start, join,
///   notify to wait, barriers, semaphores, once. Two accesses that it orders can not race.
/// - `seen`: also the order in which locks were handed over and atomics were read in this run.
///   Another interleaving may reverse it, so it hides nothing; but a pair that only `seen` orders
///   is less likely to be a race.
///
/// Both count a thread's time in steps that end where it could have told others something.
class SyncOrder {
public:
  /// Takes in the next event of the trace. Plain accesses are passed over, except that what came
  /// before them takes effect.
  void add(const Event& event);

  /// The thread's present time in each relation.
  uint32_t mustTime(uint32_t thread) { return state(thread).clocks.must.at(thread); }
  uint32_t seenTime(uint32_t thread) { return state(thread).clocks.seen.at(thread); }
  /// Whether what `thread` did at that time comes before what `observer` does now.
  bool mustPrecede(uint32_t thread, uint32_t time, uint32_t observer) {
    return time <= state(observer).clocks.must.at(thread);
  }
  bool seenPrecede(uint32_t thread, uint32_t time, uint32_t observer) {
    return time <= state(observer).clocks.seen.at(thread);
  }

  const VectorClock& mustClock(uint32_t thread) { return state(thread).clocks.must; }

  LockSetId held(uint32_t thread) { return state(thread).held; }
  LockSets& lockSets() { return lockSets_; }

private:
  struct Clocks {
    VectorClock must;
    VectorClock seen;
  };
  struct ThreadState {
    Clocks clocks;
    LockSetId held = LockSetId::Empty;
    uint64_t notificationsBefore = 0; ///< of the condition that it waits for
    uint64_t waitsForBarrier = 0;
  };
  struct Condition {
    std::vector<Clocks> notifications; ///< in order
  };
  struct Barrier {
    Clocks arriving;
    Clocks completed; ///< of the round that threads are leaving
  };

  ThreadState& state(uint32_t thread);
  /// Says how an operation ended that was pending until now.
  void commit(const Event& event);
  void tell(uint32_t thread, Clocks& to);
  void tellSeen(uint32_t thread, VectorClock& to);
  void hear(uint32_t thread, const Clocks& from);

  void lock(const Event& event, bool shared);
  void unlock(const Event& event);
  void startThread(const Event& event);
  void notify(const Event& event);
  void wake(const Event& event);
  void passBarrier(const Event& event, bool arrivesOrLeaves);

  std::vector<ThreadState> threads_;
  LockSets lockSets_;
  /// Operations are announced before it is known whether they succeed; the next event tells.
  std::optional<Event> pending_;
  std::unordered_map<uint64_t, VectorClock> lockHandOver_; ///< as of the last unlock
  std::unordered_map<uint64_t, VectorClock> atomics_; ///< as of the last writes, descriptors too
  std::unordered_map<uint64_t, Clocks> created_;      ///< by the thread's object
  std::unordered_map<uint64_t, Clocks> finished_;
  std::unordered_map<uint64_t, Condition> conditions_;
  std::unordered_map<uint64_t, Barrier> barriers_;
  std::unordered_map<uint64_t, Clocks> messages_; ///< semaphores, once, guards, futexes
};

} // namespace heddle
