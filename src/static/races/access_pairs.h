#pragma once

#include "model/access_pair.h"
#include "static/races/race_pairs.h"

namespace heddle::analysis {

/// The concurrent access pairs of chapter 4 of the thesis: by may-happen-in-parallel, aliasing and
/// escape, before locks and slots are looked at. Pairs whose accesses a common lock keeps apart are
/// marked, not left out. docs/static-pairs.md has the rules.
std::vector<AccessPair> findAccessPairs(RacePairs& races, const Analyses& analyses);

} // namespace heddle::analysis
