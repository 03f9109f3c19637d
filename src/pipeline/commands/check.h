#pragma once

#include "pipeline/commands/command_result.h"
#include "pipeline/runs/command_context.h"

namespace heddle {

/// `heddle check`: a run without preemption, recordings, then sampling with a mix of strategies.
Result<CommandResult> check(CommandContext& context);

/// `heddle races`: predicts races and deadlocks from recordings, then makes them happen.
Result<CommandResult> races(CommandContext& context);

/// `heddle atomicity`: predicts atomicity violations from profiling runs, then makes them happen.
Result<CommandResult> atomicity(CommandContext& context);

/// `heddle run`: the same with one strategy and a fixed number of runs.
Result<CommandResult> run(CommandContext& context);

} // namespace heddle
