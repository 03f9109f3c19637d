#pragma once

#include "model/finding.h"
#include "model/summary.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace heddle {

/// What one command did, for reporters: the JSON object of the contract.
struct Report {
  std::string command;              ///< "check", "run", ...
  std::vector<std::string> program; ///< argv
  double seconds = 0;
  uint64_t runs = 0;        ///< that look for something
  uint64_t judgingRuns = 0; ///< that confirm, judge and minimise what was found
  uint64_t cutRuns = 0;     ///< that did not come to their end
  std::vector<Finding> findings;
  bool brief = false; ///< text: a line for each finding and not its story
  std::vector<std::string> warnings;
  bool interrupted = false;
  std::string lost;                 ///< why control of the program was lost; empty: it was not
  bool diverged = false;            ///< that is: the program did not follow the schedule
  std::vector<std::string> notSeen; ///< uninstrumented modules and functions
  std::vector<std::string> summary; ///< one line per stage: what it gave
  uint64_t suppressed = 0;          ///< findings that the user does not want to hear of
  Summary facts;                    ///< of this command

  /// The facts as those of one kind of command, which they become if they are of none yet.
  template <typename Kind> Kind& factsAs() {
    if (!std::holds_alternative<Kind>(facts))
      facts = Kind();
    return std::get<Kind>(facts);
  }
};

} // namespace heddle
