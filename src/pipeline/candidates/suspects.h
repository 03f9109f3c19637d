#pragma once

#include "model/candidate.h"
#include "pipeline/runs/captured_run.h"

namespace heddle {

/// The races of a failing run that may be the cause of its failure: pairs of accesses that nothing
/// orders in that run, at whatever distance. Those come first that the run came to first: what
/// follows from a race may be races of its own, as in an object that is reached through a pointer
/// that was read too early. Replays the run in a fresh process; none when that has another end.
Result<std::vector<Candidate>> suspectsOf(CommandContext& context, const CapturedRun& failing);

} // namespace heddle
