#pragma once

#include "model/event.h"
#include "predict/atomic_order.h"
#include "predict/clocks.h"
#include "predict/lock_sets.h"

#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace heddle {

/// What the sync operations of a trace say about order. Three relations are kept:
///
/// - `must`: order in every interleaving that makes the same operations succeed: start, join,
///   notify to wait, barriers, semaphores, once. Two accesses that it orders cannot race.
/// - `seen`: also the order in which locks were handed over and atomics were read in this run.
///   Another interleaving may reverse it, so it hides nothing; but a pair that only `seen` orders
///   is less likely to be a race.
/// - `proper`: as `seen`, but of atomics only what their memory orders promise. What `seen` orders
///   and `proper` does not is never triggered here, where memory is sequentially consistent, and is
///   a race all the same.
///
/// They count a thread's time in steps that end where it could have told others something, `proper`
/// the same ones as `seen`.
class SyncOrder {
public:
  /// Takes in the next event of the trace. Plain accesses are passed over, except that what came
  /// before them takes effect. `caller` is who called the library code that it is in.
  void add(const Event& event, SiteId caller = SiteId::None);

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
  /// By the thread's time in `seen`.
  bool properlyPrecede(uint32_t thread, uint32_t time, uint32_t observer) {
    return time <= state(observer).clocks.proper.at(thread);
  }
  /// Of what precedes in `seen` but not properly: the atomic operations at fault.
  std::vector<WeakOrder> weakOrders(uint32_t thread, uint32_t time, uint32_t observer) {
    return atomics_.weakOrders(thread, time, state(observer).clocks.seen);
  }

  const VectorClock& mustClock(uint32_t thread) { return state(thread).clocks.must; }

  LockSetId held(uint32_t thread) { return state(thread).held; }
  LockSets& lockSets() { return lockSets_; }

private:
  struct ThreadState {
    Clocks clocks;
    LockSetId held = LockSetId::Empty;
    uint64_t waitsForBarrier = 0;
  };
  /// The notifications that somebody who waits now may have been woken by.
  class Condition {
  public:
    void wait(uint32_t thread);
    void notify(Clocks clocks);
    void leave(uint32_t thread);
    /// Those that came while the thread waited, in order.
    template <typename Visit> void forEachSince(uint32_t thread, Visit visit) const {
      auto waiter = waiters_.find(thread);
      if (waiter == waiters_.end())
        return;
      for (uint64_t i = waiter->second - forgotten_; i < notifications_.size(); ++i)
        visit(notifications_[i]);
    }

  private:
    std::deque<Clocks> notifications_;
    uint64_t forgotten_ = 0;               ///< notifications before the first one of these
    std::map<uint32_t, uint64_t> waiters_; ///< how many there were when the thread began to wait
  };
  struct Barrier {
    Clocks arriving;
    Clocks completed; ///< of the round that threads are leaving
  };

  ThreadState& state(uint32_t thread);
  /// Says how an operation ended that was pending until now.
  void commit(const Event& event, SiteId caller);
  void commitThread(const Event& event, bool done);
  void passOn(const Event& event);
  void commitAtomic(const Event& event, SiteId caller);
  void commitCondition(const Event& event, bool done);
  void tell(uint32_t thread, Clocks& to);
  void hear(uint32_t thread, const Clocks& from);

  void atomic(const Event& event, SiteId caller);
  void lock(const Event& event, bool shared);
  void unlock(const Event& event);
  void startThread(const Event& event);
  void endThread(const Event& event);
  void joinThread(const Event& event);
  void notify(const Event& event);
  void wake(const Event& event, bool notified);
  /// As tell and hear, of what another interleaving may reverse.
  void handOver(uint32_t thread, Clocks& to);
  void takeOver(uint32_t thread, const Clocks& from);
  void passBarrier(const Event& event, bool arrivesOrLeaves);

  std::vector<ThreadState> threads_;
  LockSets lockSets_;
  /// Operations are announced before it is known whether they succeed; the next event tells.
  std::optional<Event> pending_;
  SiteId pendingCaller_ = SiteId::None;
  std::unordered_map<uint64_t, Clocks> handOver_; ///< of locks and descriptors; nothing in `must`
  AtomicOrder atomics_;
  std::unordered_map<uint64_t, Clocks> created_; ///< by the thread's object
  std::unordered_map<uint64_t, Clocks> finished_;
  std::unordered_map<uint64_t, Condition> conditions_;
  std::unordered_map<uint64_t, Barrier> barriers_;
  std::unordered_map<uint64_t, Clocks> messages_; ///< semaphores, once, guards, futexes
};

} // namespace heddle
