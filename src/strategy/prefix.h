#pragma once

#include "strategy.h"

namespace heddle {

/// Follows a prefix of a run that a search has chosen (docs/exploration.md), each run of a batch
/// its own: for each step the thread that takes it. After the prefix the first thread that can run,
/// in the order that the batch gives, always goes on.
///
/// A step is one operation that other threads may notice, with what its thread does after it up to
/// its next one: threads that are in front of anything else (their start, a sleep that is over, a
/// wait that was notified) go on first, without a step. A thread that finds a lock held blocks, and
/// that is no step either. So at each step all threads stand in front of operations, as the search
/// has it.
///
/// The prefix is TruSt's or any other search's: Kokologiannakis et al., POPL 2022.
class Prefix final : public Strategy {
public:
  /// Null: no prefixes, and threads go first in order of creation.
  explicit Prefix(const PrefixHeader* header);

  void beginRun(uint64_t seed) override;
  ThreadIndex choose(const Choice& choice) override;
  uint32_t chooseWaiter(const Choice& choice, ThreadView* const* waiters, uint32_t count) override;
  void threadCreated(ThreadView& thread) override;
  void executed(ThreadView& thread, const EnabledSet& enabled) override;
  StrategyTraits traits() const override {
    return {.wantsExecuted = true, .wantsAllChoices = true};
  }
  const char* divergence() override;

private:
  ThreadIndex followPrefix(const Choice& choice);
  bool isPastPrefix() const { return next_ == end_; }

  const uint64_t* paths_ = nullptr;
  const uint32_t* offsets_ = nullptr;
  const PrefixStep* steps_ = nullptr;
  uint32_t threads_ = 0;
  uint32_t prefixes_ = 0;
  uint64_t firstSeed_ = 0;
  // Of the run
  uint32_t unknown_ = 0; ///< threads that the list does not have
  uint32_t begin_ = 0;
  uint32_t next_ = 0;
  uint32_t end_ = 0;
  uint32_t choice_ = 0; ///< of the last step
  bool diverged_ = false;
  char message_[160];
};

} // namespace heddle
