#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle {

/// How much of every thread's past is known: one counter per thread, those not named are 0.
class VectorClock {
public:
  uint32_t at(uint32_t thread) const { return thread < times_.size() ? times_[thread] : 0; }

  void set(uint32_t thread, uint32_t time) {
    if (thread >= times_.size())
      times_.resize(thread + 1, 0);
    times_[thread] = time;
  }

  void tick(uint32_t thread) { set(thread, at(thread) + 1); }

  void join(const VectorClock& other) {
    if (other.times_.size() > times_.size())
      times_.resize(other.times_.size(), 0);
    for (size_t i = 0; i < other.times_.size(); ++i)
      times_[i] = std::max(times_[i], other.times_[i]);
  }

  bool operator==(const VectorClock&) const = default;

private:
  std::vector<uint32_t> times_;
};

} // namespace heddle
