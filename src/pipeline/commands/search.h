#pragma once

#include "pipeline/commands/command_result.h"
#include "pipeline/stages/scheduler.h"

namespace heddle {

/// Lets the stages of a list search, and makes the report. What was found before an error is
/// reported; with a wrong set-up and nothing found the error is all.
Result<CommandResult> execute(SearchState& search, std::vector<ListedStage> list);

} // namespace heddle
