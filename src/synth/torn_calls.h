#pragma once

#include "synth/racing_pairs.h"

#include <vector>

namespace heddle::synth {

/// Pairs for the oracle alone: calls on one object in which one lets go of its locks between
/// accesses of the object, or has several atomic ones, and the other changes what it looks at or
/// looks at what it changes. No access of them races; whether the outcome can be one that no
/// serial order gives is for a run to say. One pair for each two methods.
std::vector<RacingPair> tornPairs(const SeedTrace& trace, const std::vector<CallSummary>& calls);

} // namespace heddle::synth
