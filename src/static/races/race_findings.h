#pragma once

#include "static/races/race_pairs.h"

namespace heddle::analysis {

/// The pairs for people and for the directed strategies: findings with call paths from the threads'
/// roots and the locks on both sides, one for each pair of places in the program's own code, and
/// candidates that name the sites. The most likely come first, by the rules of docs/static.md.
std::vector<StaticRace> describeRaces(const RacePairs& pairs, const Analyses& analyses,
                                      const FindingOptions& options);

} // namespace heddle::analysis
