#pragma once

#include "strategy.h"

namespace heddle {

/// Follows the decisions of a schedule as far as they apply, in whatever order their places come;
/// everything else is as in NonPreemptive. What does not come up, or names a thread that cannot
/// run, is passed over. Made to try parts of a schedule (pipeline/reduction.h): the run logs what
/// it did, and that is a schedule that Replay follows to the letter.
///
/// Unlike under Replay, the scheduler makes spinning threads give way: a part of a schedule may
/// lack the decisions that did so in the recorded run.
class TolerantReplay final : public Strategy {
public:
  /// The decisions are sorted by isFiledBefore.
  TolerantReplay(const Decision* decisions, uint64_t count)
      : decisions_(decisions), count_(count) {}

  StrategyTraits traits() const override { return {.follows = Following::WhereItApplies}; }
  void beginRun(uint64_t seed) override;
  ThreadIndex choose(const Choice& choice) override;
  uint32_t chooseWaiter(const Choice& choice, ThreadView* const* waiters, uint32_t count) override;
  bool chooseEarly(const Choice& choice, DecisionKind kind, ThreadView& waiter) override;

private:
  /// DecisionKind::Defer: who runs when the thread cannot go on.
  struct Deferred {
    ThreadPath thread;
    ThreadPath chosen;
  };
  static constexpr uint32_t kMaxDeferred = 256;

  uint64_t lowerBound(const Decision& key) const;
  /// The decision of this kind at this place, else null.
  const Decision* find(const Choice& choice, DecisionKind kind) const;
  void defer(const Decision& decision);
  /// Whom the thread of a choice put off until now; None: nobody.
  ThreadPath takeDeferred(ThreadPath thread);

  const Decision* decisions_;
  uint64_t count_;
  uint64_t earlyFirst_ = 0; ///< the last early wake: first of the equal decisions for it
  uint64_t earlyUsed_ = 0;  ///< how many of them were used
  uint32_t deferredCount_ = 0;
  Deferred deferred_[kMaxDeferred];
};

} // namespace heddle
