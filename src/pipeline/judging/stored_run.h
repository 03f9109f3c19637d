#pragma once

#include "pipeline/runs/captured_run.h"

namespace heddle {

/// What a replay command needs to find this store: the option between two spaces, or one space.
std::string storeOption(const std::string& storeDirectory);

/// The command that replays a finding of the command's store; it names the program where others
/// have the same id.
std::string storedReplay(const CommandContext& context, const std::string& id);

/// What the store keeps of a run beside its finding.
StoredRun storedRun(const CommandContext& context, const std::string& command,
                    const CapturedRun& failing);

} // namespace heddle
