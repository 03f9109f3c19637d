#include "report/finding_commands.h"

#include <string_view>

namespace heddle {

namespace {

constexpr std::string_view kReplay = "heddle replay ";

/// The same finding, store and all, for another command.
std::string withCommand(const std::string& replay, const std::string& command) {
  return "heddle " + command + " " + replay.substr(kReplay.size());
}

} // namespace

std::vector<FindingCommand> findingCommands(const Finding& finding) {
  std::vector<FindingCommand> commands;
  // A schedule that is replayed as text is in no store: no other command finds it there.
  const bool isStored = finding.replay.starts_with(kReplay) && !finding.id.empty() &&
                        finding.replay.find(finding.id) != std::string::npos;
  if (!finding.replay.empty() && !finding.schedule.empty())
    commands.push_back({"replay", finding.replay});
  if (isStored && !finding.schedule.empty()) {
    commands.push_back({"debug", finding.replay + " -- gdb"});
    commands.push_back({"minimize", withCommand(finding.replay, "minimize")});
    commands.push_back({"export", withCommand(finding.replay, "export")});
  }
  if (!finding.id.empty())
    commands.push_back({"suppress", "id:" + finding.id});
  return commands;
}

} // namespace heddle
