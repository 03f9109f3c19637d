#include "cli/exit_code.h"

#include "control/interrupt.h"

#include <algorithm>

namespace heddle {

int exitCodeOf(const Error& error) {
  switch (error.kind) {
  case ErrorKind::Usage:
  case ErrorKind::Environment:
    return kExitUsage;
  case ErrorKind::Internal:
    return kExitInternal;
  case ErrorKind::LostControl:
    return kExitLostControl;
  case ErrorKind::OutOfTime: // ended before its end, as by Ctrl-C
  case ErrorKind::Interrupted:
    return kExitInterrupted;
  }
  return kExitInternal;
}

int exitCodeOf(const CommandResult& result, const Options& options) {
  if (result.report.interrupted || interrupted())
    return kExitInterrupted;
  auto counts = [&](const Finding& finding) {
    return (finding.status != FindingStatus::Potential && !isNote(finding)) ||
           options.fail_on == "potential";
  };
  if (std::any_of(result.report.findings.begin(), result.report.findings.end(), counts))
    return kExitFound;
  return result.lost ? exitCodeOf(*result.lost) : kExitNothingFound;
}

} // namespace heddle
