#pragma once

#include "model/captured_run.h"
#include "model/finding.h"

#include <optional>
#include <string>

namespace heddle {

/// What a replay in a fresh process says of a captured run. Confirmation makes it, and a judge puts
/// a shorter run into it that is as good.
struct Verdict {
  enum class Answer {
    Confirmed,
    Different,
    NotEnded, ///< the time limit was reached before, or Ctrl-C came
  };
  Answer answer = Answer::NotEnded;
  std::string difference;            ///< what was different
  CapturedRun run;                   ///< that stands for what was found
  RunRecord replayed;                ///< its replay
  std::optional<SwitchCounts> found; ///< of the run before it was minimised, if it was
};

} // namespace heddle
