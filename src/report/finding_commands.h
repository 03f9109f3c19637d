#pragma once

#include "model/finding.h"

#include <string>
#include <vector>

namespace heddle {

/// What to type to go on with a finding. `name`: "replay", "debug", "minimize", "export" are
/// commands; "suppress" is a line for the file of --suppressions.
struct FindingCommand {
  std::string name;
  std::string text;
};

/// Those that work for this finding: one that no run has shown can only be suppressed.
std::vector<FindingCommand> findingCommands(const Finding& finding);

} // namespace heddle
