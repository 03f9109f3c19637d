#pragma once

#include "pipeline/commands/check.h"
#include "pipeline/runs/captured_run.h"

#include <memory>

namespace heddle {

/// What a command works on.
struct CommandSetup {
  std::string name; ///< of the command, for the report
  std::shared_ptr<const Program> program;
  const Options& options;
  Store* store; ///< may be null
  ProgressListener listener;
};

/// check() or races().
using ProgramCommand = Result<CommandResult> (*)(CommandContext&);

/// Runs the command on the program; on a GoogleTest program test by test, each in processes of its
/// own, with one report of all of them.
///
/// Every test is run once without preemption; only those that make a second thread or fail are
/// explored. These share the budget: each gets what is left of it, divided by the number of tests
/// that are left. A failure ends the exploration of its test and of no other.
Result<CommandResult> runByTest(const CommandSetup& setup, ProgramCommand command);

} // namespace heddle
