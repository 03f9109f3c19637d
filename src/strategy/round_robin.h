#pragma once

#include "strategy.h"

namespace heddle {

/// Switches at every scheduling point, to the next enabled thread in order of creation: the
/// opposite extreme of NonPreemptive, every pair of threads is interleaved as finely as the points
/// allow. There are two such runs of a program, by the seed: with an odd one the main thread takes
/// part as all others do, with an even one it goes on for as long as it can, so that the threads
/// that it makes are all there before they begin. Not from a paper; a time slice of one step.
class RoundRobin final : public Strategy {
public:
  void beginRun(uint64_t seed) override { mainFirst_ = seed % 2 == 0; }
  ThreadIndex choose(const Choice& choice) override;

private:
  bool mainFirst_ = false; ///< it has not stopped yet
};

} // namespace heddle
