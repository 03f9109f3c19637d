#pragma once

#include "pipeline/commands/command_result.h"
#include "pipeline/commands/replay.h"
#include "pipeline/runs/captured_run.h"

namespace heddle {

/// `heddle minimize`: looks for the schedule of a stored finding with the fewest preemptions, and
/// puts it into the command's store in place of the one that is there. The finding stays as it is
/// when nothing better replays; a program that no longer does what was recorded is lost control.
/// The budget is that of the command's options.
Result<CommandResult> minimize(CommandContext& context, const ReplayTarget& target);

} // namespace heddle
