#pragma once

#include "explore/branch.h"
#include "pipeline/commands/command_result.h"
#include "pipeline/runs/captured_run.h"

namespace heddle {

struct ExploreOptions {
  bool exhaustive = false; ///< not to have explored everything is lost control
  explore::Equivalence equivalence = explore::Equivalence::ReadsFrom;
  std::string find;    ///< search on until this failure: its kind, or FILE:LINE of where it is
  std::string focus;   ///< FILE:LINE: branches about accesses there come first
  bool resume = false; ///< go on with the exploration that the store has
};

/// `heddle explore`: one run of each class of runs of the program for its input, as far as the
/// budget goes. Failures are judged as those of other commands; the verdict says whether all
/// classes were explored, and if not, why.
Result<CommandResult> exploreAll(CommandContext& context, const ExploreOptions& options);

} // namespace heddle
