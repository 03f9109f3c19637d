#pragma once

#include "model/finding.h"

#include <vector>

namespace heddle {

/// For each finding the place of the one that stands for its bug; its own place if it stands for
/// itself. Findings of one bug are:
/// - races that share what is written or freed, at one line, and do not lead to different failures:
///   who has several readers of one unlocked write has one bug. A harmful one stands for the
///   others, else the first;
/// - a race that broke nothing and a finding with a failure that names the same object at the same
///   line, or both lines of the race: the failure is what the race leads to in other runs.
std::vector<size_t> representatives(const std::vector<Finding>& findings);

/// Whether the failure is an access after the free that the race is about.
bool isFreedInRace(const Finding& failure, const Finding& race);

} // namespace heddle
