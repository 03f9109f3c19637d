#pragma once

#include "explore/exploration_report.h"
#include "pipeline/runs/captured_run.h"

#include <optional>

namespace heddle {

/// What the plans of an exploration have in common.
PlanRequest planToExplore(const CommandContext& context);

/// A failing run of an exploration once more, as others know runs: without the points that only a
/// search has. Empty: it did not fail this time. Counted as a run that judges; its index is that of
/// the exploration.
Result<std::optional<CapturedRun>> repeatExplored(CommandContext& context,
                                                  const explore::ExplorationReport& explored,
                                                  const explore::FoundFailure& failure);

} // namespace heddle
