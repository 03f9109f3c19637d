#pragma once

#include "model/candidate.h"
#include "pipeline/runs/captured_run.h"

#include <memory>

namespace heddle {

/// What the static analysis says of a program that is to be run.
struct StaticTargets {
  std::vector<Candidate> candidates; ///< the most likely first
  /// Identities, sorted: sites that only touch memory of the thread that executes them. None when
  /// other code than the analysed may call what is in the executable.
  std::vector<uint64_t> localSites;
  double seconds = 0;  ///< that the analysis took
  std::string problem; ///< why there is nothing; empty: there is
};

/// Analyses the executable of the command's program, once for each build in this process, with a
/// share of the time that is left. That it cannot be analysed is no error: runs do without.
std::shared_ptr<const StaticTargets> staticTargets(const CommandContext& context);

/// Whether the analysis of the executable takes about a second at most, so that a run can wait for
/// it.
bool isQuicklyAnalysed(const Program& program);

} // namespace heddle
