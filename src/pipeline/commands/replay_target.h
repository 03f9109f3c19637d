#pragma once

#include "pipeline/commands/replay.h"

namespace heddle {

/// Finds out what `heddle replay WORDS` means: an id or prefix of a stored finding, a schedule
/// text followed by a program, or an exported file. Checks that the program is still the one that
/// was recorded, and warns when it is not.
Result<ReplayTarget> findReplayTarget(const std::vector<std::string>& words,
                                      const std::string& storeDirectory,
                                      const std::vector<std::string>& environment);

} // namespace heddle
