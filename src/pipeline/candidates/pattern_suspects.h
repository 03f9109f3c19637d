#pragma once

#include "model/candidate.h"
#include "pipeline/candidates/set_annotations.h"
#include "pipeline/runs/captured_run.h"

namespace heddle {

/// The patterns of accesses that a failing run itself has: those that may be the cause of its
/// failure. What concerns one location comes before what concerns two. Replays the run in a fresh
/// process; none when that has another end, or is very long.
Result<std::vector<Candidate>> patternSuspectsOf(CommandContext& context,
                                                 const CapturedRun& failing,
                                                 const SetAnnotations& annotations);

} // namespace heddle
