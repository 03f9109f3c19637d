#pragma once

#include "control/options.h"
#include "pipeline/commands/command_result.h"

namespace heddle {

/// Exit codes of every command.
enum ExitCode {
  kExitNothingFound = 0,
  kExitUsage = 1,
  kExitFound = 2,
  kExitInternal = 3,
  kExitLostControl = 4,
  kExitInterrupted = 130,
};

/// How a command ends that could not do what it was asked for.
int exitCodeOf(const Error& error);

/// After an interrupt that; else whether something was found that counts; else why control was
/// lost, if it was. Potential findings count with --fail-on=potential.
int exitCodeOf(const CommandResult& result, const Options& options);

} // namespace heddle
