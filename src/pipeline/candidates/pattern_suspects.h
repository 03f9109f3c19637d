#pragma once

#include "model/candidate.h"
#include "pipeline/candidates/set_annotations.h"
#include "pipeline/runs/captured_run.h"

namespace heddle {

/// Functions, by their linkage names, that put something together from steps which are atomic by
/// themselves in a failing run; the innermost come first. Each may be a unit of work that no
/// heuristic knows. Replays the run in a fresh process; none when that has another end.
Result<std::vector<std::string>> composingFunctionsOf(CommandContext& context,
                                                      const CapturedRun& failing);

/// The patterns of accesses that a failing run itself has: those that may be the cause of its
/// failure. What concerns one location comes before what concerns two. Replays the run in a fresh
/// process; none when that has another end, or is very long.
Result<std::vector<Candidate>> patternSuspectsOf(CommandContext& context,
                                                 const CapturedRun& failing,
                                                 const SetAnnotations& annotations);

} // namespace heddle
