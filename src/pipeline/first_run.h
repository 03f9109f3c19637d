#pragma once

#include "pipeline/campaign.h"

namespace heddle {

/// Stage 1: one run without preemption in a fresh process. It shows what is normal (exit status,
/// length, number of threads). A failure here needs no interleaving, and is returned.
/// Errors: the program can not be started, or control was lost.
Result<std::optional<FailingRun>> firstRun(Campaign& campaign);

/// An error when a run was lost or the program died in it; otherwise Unit.
Status requireControl(const RunRecord& record);

} // namespace heddle
