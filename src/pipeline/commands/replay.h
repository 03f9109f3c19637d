#pragma once

#include "pipeline/commands/command_result.h"
#include "pipeline/runs/captured_run.h"

namespace heddle {

/// Files of an exported run, unpacked into a folder that goes away with this.
struct UnpackedFiles {
  UnpackedFiles() = default;
  UnpackedFiles(const UnpackedFiles&) = delete;
  UnpackedFiles& operator=(const UnpackedFiles&) = delete;
  ~UnpackedFiles();
  std::string folder;
};

/// A schedule with what it is to be replayed on.
struct ReplayTarget {
  Schedule schedule;
  std::vector<uint64_t> sites; ///< listed scheduling points
  std::shared_ptr<const Program> program;
  std::optional<Finding> finding; ///< what is stored about it
  std::string trace;              ///< file with the events of the recorded run; may be empty
  std::string command;            ///< that replays it again
  bool rebuilt = false;           ///< the program is not the one that was recorded
  std::vector<std::string> warnings;
  std::shared_ptr<UnpackedFiles> files; ///< the program lies in them; may be null
};

/// A race that broke nothing when it was found breaks nothing in its replay.
bool isHarmlessRace(const ReplayTarget& target);

/// A replay of the target as the run that was found.
CapturedRun failingRun(const ReplayTarget& target, const RunRecord& record);

/// One replay, compared with the recorded run. The finding is the stored one: describing what is
/// replaced soon takes longer than the replay.
struct ReplayedOnce {
  CommandResult result;
  std::optional<RunRecord> record; ///< empty where it is not the recorded run
  double seconds = 0;
};
Result<ReplayedOnce> replayOnce(CommandContext& context, const ReplayTarget& target);

/// `heddle replay`: the run again, `times` times, each in a fresh process.
Result<CommandResult> replay(CommandContext& context, const ReplayTarget& target, uint64_t times);

} // namespace heddle
