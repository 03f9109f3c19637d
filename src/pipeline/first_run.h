#pragma once

#include "pipeline/learning.h"

namespace heddle {

/// Stage 1: one run without preemption in a fresh process. It shows what is normal (exit status,
/// length, number of threads). A failure here needs no interleaving, and is returned.
/// Errors: the program can not be started, or control was lost.
/// With `learning` the run is a recording, too, unless that takes too long. With `needsThreads` a
/// program that makes none and ends with an error is one: it has been given wrong arguments.
Result<std::optional<FailingRun>> firstRun(CommandContext& context, Learning* learning,
                                           bool needsThreads);

/// An error when a run was lost or the program died in it; otherwise Success.
Status requireControl(const RunRecord& record);

} // namespace heddle
