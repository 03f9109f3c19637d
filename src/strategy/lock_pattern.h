#pragma once

#include "directed_strategy.h"

namespace heddle {

/// AtomFuzzer: Park, Sen: Randomized Active Atomicity Violation Detection in Concurrent Programs
/// (FSE 2008). A baseline for the comparison with patterns of accesses, which it is weaker than: it
/// looks for a thread that acquires and releases a lock twice inside one atomic block while another
/// thread acquires and releases it in between.
///
/// Threads are picked at random; one that is about to acquire a lock again in the same block is
/// held until somebody else has had the lock, or nobody else can run. An atomic block is what a
/// thread does while it holds some other lock, as a synchronized block is in the paper.
class LockPattern final : public Strategy, public DirectedStrategy {
public:
  StrategyTraits traits() const override { return {.wantsExecuted = true}; }
  DirectedStrategy* directed() override { return this; }
  void beginRun(uint64_t seed) override;
  ThreadIndex choose(const Choice& choice) override;
  uint32_t chooseWaiter(const Choice& choice, ThreadView* const* waiters, uint32_t count) override;
  void executed(ThreadView& thread, const EnabledSet& enabled) override;
  uint32_t thrashings() const override { return thrashings_; }
  uint32_t sightings() const override { return sightings_; }

private:
  static constexpr uint32_t kMaxThreads = 64; ///< others are not looked at
  static constexpr uint32_t kMaxLocks = 8;

  /// A lock that a thread has had in its block.
  struct Had {
    uint64_t lock;
    bool byOthers; ///< somebody else has had it since
  };
  struct Block {
    uint64_t held[kMaxLocks];
    uint32_t heldCount = 0;
    Had had[kMaxLocks];
    uint32_t hadCount = 0;
  };

  Block* blockOf(const ThreadView& thread);
  static bool holds(const Block& block, uint64_t lock);
  /// What the thread is about to acquire again; null: nothing of this kind.
  Had* reacquired(const ThreadView& thread);
  bool shallWait(const ThreadView& thread);
  void acquire(const ThreadView& thread, uint64_t lock);
  void release(Block& block, uint64_t lock);

  Random random_;
  Block blocks_[kMaxThreads];
  ThreadIndex letGo_ = ThreadIndex::None;
  uint32_t thrashings_ = 0;
  uint32_t sightings_ = 0;
};

} // namespace heddle
