#pragma once

#include "strategy.h"

namespace heddle {

/// Switches at every scheduling point, to the next enabled thread in order of creation. One
/// schedule per program, the opposite extreme of NonPreemptive: every pair of threads is
/// interleaved as finely as the points allow. Not from a paper; a time slice of one step.
class RoundRobin final : public Strategy {
public:
  ThreadIndex choose(const Choice& choice) override;
};

} // namespace heddle
