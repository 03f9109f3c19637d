#pragma once

#include "model/report.h"
#include "pipeline/campaign.h"

namespace heddle {

/// What a command hands to the reporters, and how it ends.
struct CommandResult {
  Report report;
  int exitCode = 0;
  std::optional<Error> lost; ///< control was lost; the report still has what was found before
};

/// 130 after an interrupt, 2 with findings that count, the error's code when control was lost,
/// else 0. Potential findings count with --fail-on=potential.
int exitCodeOf(const CommandResult& result, const Options& options);

/// `heddle check`: a run without preemption, recordings, then sampling with a mix of strategies.
Result<CommandResult> check(Campaign& campaign);

/// `heddle races`: predicts races and deadlocks from recordings, then makes them happen.
Result<CommandResult> races(Campaign& campaign);

/// `heddle atomicity`: predicts atomicity violations from profiling runs, then makes them happen.
Result<CommandResult> atomicity(Campaign& campaign);

/// `heddle run`: the same with one strategy and a fixed number of runs.
Result<CommandResult> run(Campaign& campaign);

} // namespace heddle
