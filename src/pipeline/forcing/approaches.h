#pragma once

#include "model/candidate.h"

#include <vector>

namespace heddle {

/// The ways in which a candidate may be brought about, and how each of them did. Which one works
/// depends on the program: holding everybody is the papers' way and needs no example; the threads
/// of an example find each other among many objects, by the time or by the object. The way that did
/// best is taken; one that was not tried yet is expected to work in three of four runs.
class Approaches {
public:
  explicit Approaches(const Candidate& candidate);

  /// The way that the next runs should take.
  size_t next() const;
  /// The way that was taken least often.
  size_t leastTried() const;
  const Approach& at(size_t way) const { return ways_[way].approach; }
  size_t count() const { return ways_.size(); }
  /// How runs that took it ended.
  void note(size_t way, uint64_t runs, uint64_t met);

private:
  struct Way {
    Approach approach;
    uint64_t runs = 0;
    uint64_t met = 0;
  };

  void add(Holding holding);
  void add(const Candidate& candidate, const CandidateExample& example, Holding holding,
           uint32_t leader);

  std::vector<Way> ways_;
};

/// Runs that a way gets before another one may be taken: all orders of a race are among them.
inline constexpr uint64_t kRunsOfAWay = 4;

} // namespace heddle
