#pragma once

#include "model/report.h"
#include "pipeline/runs/captured_run.h"

namespace heddle {

/// Writes into the report what the command's runs came to: how many, how they ended, what was cut
/// short or left out and which option changes that.
void summarizeRuns(CommandContext& context, Report& report);

/// Why nothing can be said of the program although it was run: no run came to its end. Empty:
/// one did.
std::optional<Error> noRunEnded(const CommandContext& context);

} // namespace heddle
