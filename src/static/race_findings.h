#pragma once

#include "static/race_pairs.h"

namespace heddle::analysis {

struct RaceFacts {
  const PointsTo& pointsTo;
  const Threads& threads;
  const Activations& activations;
  const Sites& sites;
};

/// The pairs for people and for the directed strategies: findings with call paths from the threads'
/// roots and the locks on both sides, one for each pair of places in the program's own code, and
/// candidates that name the sites.
std::vector<StaticRace> describeRaces(const RacePairs& pairs, const RaceFacts& facts);

} // namespace heddle::analysis
