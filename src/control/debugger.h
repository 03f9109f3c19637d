#pragma once

#include "control/batch_memory.h"
#include "control/program.h"
#include "model/result.h"

#include <string>
#include <vector>

namespace heddle {

/// Runs one plan with the program under another tool (gdb, strace ...) in the foreground, on the
/// controller's terminal. There is no watchdog: a person may stop the program for hours.
/// Returns the tool's exit status.
Result<int> runUnderTool(const Program& program, PlanRequest request,
                         const std::vector<std::string>& tool);

/// The command line: the tool's words, for gdb with the settings that keep the program's
/// environment as it was in the recorded run and with heddle's own gdb commands, then the program
/// with its arguments.
std::vector<std::string> toolCommand(const Program& program, const std::vector<std::string>& tool);

} // namespace heddle
