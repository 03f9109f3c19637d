#pragma once

#include "strategy.h"

namespace heddle {

/// Follows a schedule: a list of deviations from the default, in order. A decision applies when
/// its thread is at its site for the n-th time and a choice of its kind is to be made; everything
/// else is as in NonPreemptive. Deviations by (thread, site, occurrence) instead of step numbers
/// are what CHESS's and shuttle's schedules do not have: ours stay valid when other sites become
/// scheduling points.
///
/// A schedule that cannot be followed (another build, another input) leaves decisions unmet;
/// divergence() says which one was the first and why.
class Replay final : public Strategy {
public:
  Replay(const Decision* decisions, uint64_t count) : decisions_(decisions), count_(count) {}

  StrategyTraits traits() const override { return {.follows = Following::Exactly}; }
  void beginRun(uint64_t seed) override;
  ThreadIndex choose(const Choice& choice) override;
  uint32_t chooseWaiter(const Choice& choice, ThreadView* const* waiters, uint32_t count) override;
  bool chooseEarly(const Choice& choice, DecisionKind kind, ThreadView& waiter) override;
  bool expects(const ThreadView& thread, SiteIdentity site) const override;
  void threadCreated(ThreadView& thread) override;
  const char* divergence() override;

private:
  enum class Unmet : uint8_t { NeverCame, ChosenNotThere };
  static constexpr uint32_t kNamedThreads = 512;

  /// The next decision if it is about this choice, else null.
  const Decision* due(const Choice& choice, DecisionKind kind) const;
  uint32_t indexOf(ThreadPath path) const;

  const Decision* decisions_;
  uint64_t count_;
  uint64_t next_ = 0;
  Unmet unmet_ = Unmet::NeverCame;
  bool stopped_ = false; ///< a decision could not be followed: the default from there on
  uint32_t named_ = 0;
  ThreadPath paths_[kNamedThreads]; ///< of threads 0, 1, ...: messages name threads by index
  char message_[256];
};

} // namespace heddle
