#pragma once

#include "model/candidate.h"
#include "pipeline/campaign.h"

#include <memory>

namespace heddle {

/// What the static analysis says of a program that is to be run.
struct StaticTargets {
  std::vector<Candidate> candidates; ///< the most likely first
  double seconds = 0;                ///< that the analysis took
  std::string problem;               ///< why there is nothing; empty: there is
};

/// Analyses the executable of the campaign's program, once for each build in this process, with a
/// share of the time that is left. That it can not be analysed is no error: runs do without.
std::shared_ptr<const StaticTargets> staticTargets(const Campaign& campaign);

} // namespace heddle
