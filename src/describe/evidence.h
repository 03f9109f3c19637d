#pragma once

#include "model/candidate.h"

#include <cstdint>
#include <optional>

namespace heddle {

/// How runs ended in which the sides of a candidate met and went on in one order.
struct OrderTally {
  uint64_t runs = 0;
  uint64_t failures = 0;
};

/// What runs that were directed at a candidate gave, as far as a reader is told.
struct Evidence {
  Candidate candidate;
  uint64_t runs = 0;
  uint64_t met = 0;         ///< runs in which it was triggered
  uint64_t thrashings = 0;  ///< see RunResult
  bool allReached = false;  ///< each of its sides, in some run
  double probability = 0;   ///< share of the runs that tried in the best way
  OrderTally orders[2];     ///< by who went on first
  uint64_t failures = 0;    ///< runs that failed from the cause that is its harm
  uint64_t controlRuns = 0; ///< of each kind, in which that failure was absent
  bool harmful = false;
  /// Of a race: index of the order under which it fails, while it does not under the other one.
  std::optional<unsigned> failingOrder;
};

} // namespace heddle
