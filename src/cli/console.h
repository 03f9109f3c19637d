#pragma once

#include "control/options.h"
#include "control/program.h"
#include "model/report.h"
#include "pipeline/commands/check.h"
#include "pipeline/runs/captured_run.h"
#include "store/store.h"

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// "heddle: message" on standard error; returns the error's exit code.
int printError(const Error& error);
/// False when it could not be written: somebody may have closed the file. Nothing is thrown.
bool putText(FILE* file, const std::string& text);
void printWarning(const std::string& text);

/// The program named on the command line, with its environment and a copy of the input.
Result<std::shared_ptr<const Program>> readProgram(const std::vector<std::string>& words,
                                                   const std::vector<std::string>& environment);

/// The store, or nothing with a warning: what is found is printed all the same.
std::optional<Store> openStore(const Options& options);

/// Writes the report in the chosen format to the chosen place.
Status writeReport(const Report& report, const Options& options);

/// Report, errors and the command's exit code.
int finishCommand(const Result<CommandResult>& result, const Options& options, Store* store);
/// The same where something else than the result says how the command ends.
int finishCommand(const CommandResult& result, const Options& options, Store* store, int exitCode);

/// For commands whose text form is a table: writes it to the chosen place.
int finishText(const std::string& text, const Options& options, int exitCode);

/// Progress on standard error: one line that is overprinted, on a terminal only.
ProgressListener terminalProgress();
void endProgress();

} // namespace heddle
