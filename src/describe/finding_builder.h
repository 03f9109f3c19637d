#pragma once

#include "model/captured_run.h"
#include "model/finding.h"
#include "model/recorded_run.h"

namespace heddle {

/// Turns a run that failed into what is reported: resolves ids, picks the frames that belong to
/// the user's code, words the message. `recorded` is the detailed replay when there is one.
Finding buildFinding(const CapturedRun& failing, const RunRecord& replayed,
                     const RecordedRun* recorded, int normalExitStatus);
/// The text that replays it. Of a long run it has millions of characters: only what is kept has it.
void addSchedule(Finding& finding, const CapturedRun& failing);

} // namespace heddle
