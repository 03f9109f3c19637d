#pragma once

#include "model/captured_run.h"
#include "model/finding.h"
#include "pipeline/runs/command_context.h"

namespace heddle {

/// An error when the run was lost or the program died in it: nothing can be said of it.
Status requireControl(const RunRecord& record);

/// What a replay of a run of such a plan needs. Points that are learned later do not matter to it.
CapturedRun capture(const CommandContext& context, RunRecord record, const PlanRequest& request);
/// Another run of the same plan, which went another way with other decisions.
CapturedRun captureLike(const CapturedRun& found, RunRecord record);
/// A replay as the run that was found; `stored` is what is known of that, if anything is.
CapturedRun captureReplay(const Schedule& schedule, const std::vector<uint64_t>& sites,
                          const RunRecord& record, const std::optional<Finding>& stored);
/// Puts the points of a captured run into the store, if they are not those of all runs.
void keepPoints(CommandContext& context, CapturedRun& run);

} // namespace heddle
