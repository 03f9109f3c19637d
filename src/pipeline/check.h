#pragma once

#include "model/report.h"
#include "pipeline/runs/captured_run.h"

namespace heddle {

/// What a command hands to the reporters, and how it ends.
struct CommandResult {
  Report report;
  std::optional<Error> lost; ///< control was lost; the report still has what was found before
};

/// `heddle check`: a run without preemption, recordings, then sampling with a mix of strategies.
Result<CommandResult> check(CommandContext& context);

/// `heddle races`: predicts races and deadlocks from recordings, then makes them happen.
Result<CommandResult> races(CommandContext& context);

/// `heddle atomicity`: predicts atomicity violations from profiling runs, then makes them happen.
Result<CommandResult> atomicity(CommandContext& context);

/// `heddle run`: the same with one strategy and a fixed number of runs.
Result<CommandResult> run(CommandContext& context);

} // namespace heddle
