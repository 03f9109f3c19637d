#pragma once

#include "early_wakes.h"
#include "strategy.h"

namespace heddle {

/// SURW, selectively uniform random walk: Zhao, Wolff, Mathur, Roychoudhury: Selectively Uniform
/// Concurrency Testing (ASPLOS 2025). The orders of the selected events are sampled evenly: who
/// executes the next one of them is drawn with the number of those that each thread has still to
/// execute as its weight; others that have come to a selected event wait, and all that is not
/// selected is a random walk. What a thread's children will execute counts for it until it creates
/// them.
///
/// Ours differs:
/// - how many selected events a thread executes is taken from the run before, so the first run of a
///   batch is a plain random walk over them, and a run depends on more than its seed;
/// - the next one is drawn among the threads that can run;
/// - who spins is not waited for.
class Surw final : public Strategy {
public:
  /// Threads with numbers of their own; further ones weigh as much as one event.
  static constexpr uint32_t kMaxThreads = 512;

  void beginBatch(const Plan& plan) override;
  void beginRun(uint64_t seed) override;
  ThreadIndex choose(const Choice& choice) override;
  uint32_t chooseWaiter(const Choice& choice, ThreadView* const* waiters, uint32_t count) override;
  bool chooseEarly(const Choice& choice, DecisionKind kind, ThreadView& waiter) override;
  void threadCreated(ThreadView& thread) override;
  void executed(ThreadView& thread, const EnabledSet& enabled) override;
  StrategyTraits traits() const override { return {.wantsExecuted = true}; }
  void endRun(uint64_t steps) override;

private:
  static constexpr uint32_t kNobody = kMaxThreads;

  /// A thread across runs. Parents come before their children.
  struct Account {
    ThreadPath path;
    uint32_t parent;
    uint32_t executed; ///< selected events, in this run
    uint32_t expected; ///< with those of its descendants: of the run before
    uint32_t left;     ///< of the expected ones
  };

  bool isSelected(const PendingOperation& operation) const;
  Account* accountOf(const ThreadView& thread);
  uint32_t find(ThreadPath path) const;
  uint64_t weightOf(const ThreadView& thread);
  void drawIntended(const EnabledSet& enabled);
  bool mayRun(const ThreadView& thread) const;

  Random random_;
  EarlyWakes early_;
  bool selectsAll_ = true;
  uint32_t accounts_ = 0;
  uint32_t running_ = kNobody; ///< account of the thread that executed last
  ThreadIndex intended_ = ThreadIndex::None;
  Account account_[kMaxThreads];
};

} // namespace heddle
