#pragma once

#include "model/failing_run.h"
#include "model/finding.h"
#include "pipeline/runs/command_context.h"

namespace heddle {

/// What a replay of a run of such a plan needs. Points that are learned later do not matter to it.
FailingRun capture(const CommandContext& context, RunRecord record, const PlanRequest& request);
/// Another run of the same plan, which went another way with other decisions.
FailingRun captureLike(const FailingRun& found, RunRecord record);
/// A replay as the run that was found; `stored` is what is known of that, if anything is.
FailingRun captureReplay(const Schedule& schedule, const std::vector<uint64_t>& sites,
                         const RunRecord& record, const std::optional<Finding>& stored);
/// Puts the points of a captured run into the store, if they are not those of all runs.
void keepPoints(CommandContext& context, FailingRun& run);

} // namespace heddle
