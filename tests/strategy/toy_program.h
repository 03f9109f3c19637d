#pragma once

#include "strategy/strategy.h"

#include <functional>
#include <memory>
#include <vector>

/// A program of toy threads under a strategy: what the runtime does, without fibers. A thread is a
/// list of steps; each step is an operation that the strategy sees, and what it does.
namespace heddle::test {

struct Step {
  PendingOperation operation;
  std::function<bool()> enabled; ///< empty: always
  /// Returns true to stay at this step and give way (a failed attempt of a spin).
  std::function<bool()> run;
};

inline Step step(uint64_t address, std::function<void()> action = {},
                 EventKind kind = EventKind::Write) {
  Step result;
  result.operation.kind = kind;
  result.operation.address = address;
  result.run = [action] {
    if (action)
      action();
    return false;
  };
  return result;
}

/// Repeats, yielding, until the condition holds.
inline Step spinUntil(std::function<bool()> condition) {
  Step result;
  result.operation.kind = EventKind::Yield;
  result.run = [condition] { return !condition(); };
  return result;
}

inline Step blockUntil(std::function<bool()> condition) {
  Step result = step(0);
  result.enabled = condition;
  return result;
}

class ToyProgram {
public:
  explicit ToyProgram(std::vector<std::vector<Step>> threads) : threads_(std::move(threads)) {}

  /// The order in which threads ran; stops after `most` steps (then finished() is false).
  std::vector<uint32_t> run(Strategy& strategy, uint64_t seed, uint64_t most = 100000);
  bool finished() const { return finished_; }
  uint64_t choices() const { return choices_; } ///< steps at which there was one

private:
  struct Thread {
    ThreadView view;
    size_t at = 0;
    bool yielded = false;
    std::vector<uint32_t> occurrences; ///< by step
  };

  bool canRun(uint32_t index) const;
  uint32_t fill(std::vector<uint64_t>& words, bool withYielded) const;
  uint32_t choose(Strategy& strategy, uint32_t current, std::vector<uint64_t>& words,
                  uint32_t count);

  std::vector<std::vector<Step>> threads_;
  std::vector<Thread> states_;
  std::vector<ThreadView*> views_;
  bool finished_ = false;
  uint64_t choices_ = 0;
};

/// Site identity of a toy thread's n-th step.
inline SiteIdentity toySite(uint32_t thread, size_t at) {
  return static_cast<SiteIdentity>((thread + 1) * 1000 + at);
}

/// A strategy with its memory.
class Made {
public:
  explicit Made(StrategyKind kind, uint32_t depth = 0, uint64_t estimate = 0,
                const std::vector<Decision>& schedule = {}, uint32_t flags = 0)
      : schedule_(schedule), memory_(std::make_unique<StrategyMemory>()) {
    Plan plan{};
    plan.strategy = kind;
    plan.pctDepth = depth;
    plan.estimatedSteps = estimate;
    plan.decisions = schedule_.size();
    plan.flags = flags;
    strategy_ = makeStrategy(*memory_, plan, schedule_.data());
    strategy_->beginBatch(plan);
  }
  Strategy& operator*() { return *strategy_; }
  Strategy* operator->() { return strategy_; }

private:
  std::vector<Decision> schedule_;
  std::unique_ptr<StrategyMemory> memory_;
  Strategy* strategy_;
};

} // namespace heddle::test
