#pragma once

#include "directed_strategy.h"
#include "early_wakes.h"

namespace heddle {

/// Triggers the plan's target. Sen: Race Directed Random Testing of Concurrent Programs
/// (PLDI 2008), algorithms 1 and 2, and its sibling for deadlocks: Joshi, Park, Sen, Naik: A
/// Randomized Dynamic Program Analysis Technique for Detecting Real Deadlocks (PLDI 2009).
///
/// Threads are picked at random; one that is about to play a role of the target is postponed until
/// the others have come, too. Whether the target was triggered is found out by the runtime, which
/// knows addresses and locks, so that this class serves every kind of target.
///
/// Ours differs from the papers in that
/// - the order in which the sides of a race go on is given by the seed's parity, so that two runs
///   try both, and not left to luck; a second bit says whether the other side follows at once;
/// - the plan's approach says who is postponed: with the threads of an example in which an earlier
///   run came close, only they are, and the one that had better come first is run first;
/// - a thread that has made its access of a race is postponed again before it tells others
///   anything, for races in which one access leads to the other;
/// - where plain accesses are scheduling points, too, they only serve to let the other side of a
///   race follow right after the first one's access: nothing else is switched there;
/// - while all threads that could run are postponed, sleepers are woken before one is let go;
/// - a pattern of accesses (Lai, Cheung, Chan: Detecting Atomic-Set Serializability Violations in
///   Multithreaded Programs through Active Randomized Testing, ICSE 2010, section 4.2) is brought
///   about by holding one unit in its window, where it has given back what the other one needs,
///   while the other one runs through; who is to come second is held before its unit, and not
///   before its access as in the paper, because there it may hold what the first one needs. In half
///   of the runs it goes on for a while after its last access, to the end of its unit maybe;
/// - a thread is let go by steps, not by wall time: when the others only spin, or when it was
///   postponed for longer than a whole run takes.
class Directed final : public Strategy, public DirectedStrategy {
public:
  StrategyTraits traits() const override { return {.holdsThreads = true}; }
  DirectedStrategy* directed() override { return this; }
  void beginBatch(const Plan& plan) override;
  void beginRun(uint64_t seed) override;
  ThreadIndex choose(const Choice& choice) override;
  uint32_t chooseWaiter(const Choice& choice, ThreadView* const* waiters, uint32_t count) override;
  bool chooseEarly(const Choice& choice, DecisionKind kind, ThreadView& waiter) override;
  void arrived(ThreadView& thread) override;
  void met(ThreadView* const* threads, uint32_t count) override;
  void inWindow(ThreadView& thread, uint32_t unit) override;
  void advanced(ThreadView& first, ThreadView* next) override;
  uint32_t thrashings() const override { return thrashings_; }
  /// Not when it would give way to those only that are held.
  bool mayForceYield() override {
    return kind_ != TargetKind::AtomicSet || metBefore_ || inWindow_ + postponed_ == 0;
  }

private:
  /// What a thread's `priority` says.
  enum Mark : uint64_t {
    kFree,
    kPostponed,
    kGranted,   ///< goes on before everybody else
    kFollowing, ///< goes on when all granted ones have
    kInWindow,  ///< held between two accesses of a pattern
  };

  void mark(ThreadView& thread, Mark mark);
  void resolveRace(ThreadView* const* threads, uint32_t count);
  ThreadIndex nextGranted(const EnabledSet& enabled);
  /// The n-th enabled thread that has the mark; n is below their number.
  static ThreadView& nthMarked(const EnabledSet& enabled, Mark mark, uint64_t n);
  static uint32_t countMarked(const EnabledSet& enabled, Mark mark);
  ThreadIndex pick(const EnabledSet& enabled, Mark mark, uint32_t count);
  bool isStuck(const Choice& choice);
  /// Whether the running thread is at an access that has nothing to do with the target.
  static bool isOnItsWay(const Choice& choice);
  bool byExample() const { return approach_.exampleCount != 0; }
  /// Whether the approach holds a thread that has come to the target.
  bool shallHold(const ThreadView& thread);
  void countArrival(const ThreadView& thread);
  bool isAtItsPlace(uint32_t example, const ThreadView& thread) const;
  /// Which example the thread is of, exampleCount if none.
  uint32_t exampleOf(const ThreadView& thread) const;
  /// Whether the thread is about to enter u (0) or u' (1) of the pattern.
  bool enters(const ThreadView& thread, uint32_t unit) const;
  void arrivedAtUnit(ThreadView& thread);
  bool mayOwnWindow(const ThreadView& thread) const;
  /// Who has just come through the window of another thread, while it may go on; else None.
  ThreadIndex lingering(const Choice& choice);
  ThreadIndex chooseForPattern(const Choice& choice);
  ThreadIndex letGo(const EnabledSet& enabled);
  ThreadIndex chooseFree(const EnabledSet& enabled, uint32_t free, bool stuck);

  Random random_;
  EarlyWakes early_;
  TargetKind kind_ = TargetKind::None;
  Approach approach_{};
  uint32_t arrivals_[kMaxRoles] = {}; ///< of each example's thread at its role
  uint64_t patience_ = 0;
  uint64_t seed_ = 0;
  uint64_t quietDecisions_ = 0; ///< since a thread was postponed or let go
  uint32_t yields_ = 0;         ///< in a row
  uint32_t waits_ = 0;
  uint32_t postponed_ = 0; ///< threads with that mark, as the next ones
  uint32_t granted_ = 0;
  uint32_t following_ = 0;
  uint32_t inWindow_ = 0;
  uint32_t thrashings_ = 0;
  uint32_t entryRole_ = 0;                   ///< of u; that of u' is the next one
  ThreadIndex first_ = ThreadIndex::None;    ///< without an example: who shall be u
  ThreadIndex owner_ = ThreadIndex::None;    ///< of the window for which the others are led
  ThreadIndex released_ = ThreadIndex::None; ///< from its window, for nothing
  ThreadIndex next_ = ThreadIndex::None;     ///< who has to make the next step in that window
  uint64_t lingers_ = 0; ///< decisions for which the other one may go on before the owner does
  bool mayLinger_ = false;
  bool metBefore_ = false;
};

} // namespace heddle
