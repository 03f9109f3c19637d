#pragma once

#include "model/run_record.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle {

struct SessionOptions {
  /// Where to begin; steps down to the next slower one when the program needs it, unless fixed.
  Isolation isolation = Isolation::InPlace;
  bool isolationFixed = false;
  double hangCpuSeconds = 10;
  double hangWallSeconds = 60;
  bool liveOutput = false; ///< the program writes to the controller's own output
  uint32_t donorPool = 8;
  std::string isolationReason; ///< why it begins with a slower one
  int restarts = 16;           ///< deaths of the program in a session before it is given up
};

/// What the runs of one plan gave.
struct BatchReport {
  bool silent = false;            ///< the last run computed for too long without a scheduling point
  std::vector<RunResult> results; ///< one per finished run, in order of seed
  BatchStop stop = BatchStop::None;
  /// Stop Failure, or asked for: the last run with its details. None: no run ended in time.
  std::optional<RunRecord> last;
  bool interrupted = false;
  bool killed = false; ///< with stop WallTime: a run was going on, and was ended
  std::string place;   ///< with PlanRequest::saysWhere: where that run was, as text; may be empty
};

/// What the program did so far that its user should hear of; see ProgramNotes.
struct SessionNotes {
  bool endOfInput = false;
  bool ownName = false;
  std::vector<std::string> files;
};

} // namespace heddle
