#pragma once

#include "describe/evidence.h"
#include "model/captured_run.h"
#include "model/finding.h"
#include "model/recorded_run.h"

namespace heddle {

/// A race that was triggered in `run`. `recorded` is the detailed replay when there is one.
Finding buildRaceFinding(const Evidence& evidence, const CapturedRun& run,
                         const RunRecord& replayed, const RecordedRun* recorded,
                         int normalExitStatus);

/// The events up to the last access of the meeting: where nothing failed, the end of the story.
RecordedRun untilMeeting(const RecordedRun& recorded);

/// A candidate that was not triggered, as a potential finding. `sites` resolves its identities.
Finding buildPotentialFinding(const Evidence& evidence, const SiteCatalog& sites);

} // namespace heddle
