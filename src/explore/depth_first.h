#pragma once

#include "operation.h"

#include <optional>

namespace heddle::explore {

/// A baseline: all interleavings, one after the other, depth first, the thread that runs goes on
/// first. With a bound, only those with so many preemptions (switches away from a thread that
/// could go on; Musuvathi and Qadeer, PLDI 2007).
class DepthFirst {
public:
  explicit DepthFirst(std::optional<uint32_t> preemptions = {}) : bound_(preemptions) {}

  /// The next schedule, after which the thread that ran last goes on while it can.
  std::optional<std::vector<Choice>> next();
  void report(const Run& run);

  uint64_t runs() const { return runs_; }
  /// Points with two or more continuations that were come to.
  uint64_t states() const { return states_; }

private:
  struct Point {
    Choice taken;
    std::vector<Choice> left; ///< the next one is the last
    uint32_t preemptions = 0; ///< before it
    std::vector<ThreadNumber> enabled;
  };
  void addPoint(const Run& run, size_t i);
  uint32_t cost(size_t i, ThreadNumber thread) const;

  std::optional<uint32_t> bound_;
  std::vector<Point> points_;
  bool isFirst_ = true;
  uint64_t runs_ = 0;
  uint64_t states_ = 0;
};

} // namespace heddle::explore
