#pragma once

#include "model/captured_run.h"
#include "model/finding.h"
#include "model/recorded_run.h"

#include <string>
#include <vector>

namespace heddle {

/// What a reader has to know beside the finding: what it depends on, which option it needs, and
/// whether the program may be meant to do this. `recorded` may be null.
std::vector<std::string> notesOf(FindingKind kind, const CapturedRun& failing,
                                 const RecordedRun* recorded);

/// Whether threads that wait for work may be meant to do so for ever: main has ended or waits for
/// work, too, or waits for the end of several that are alike, as the workers of a server are. A
/// single one whose end main waits for has missed its notification.
bool mayServe(const std::vector<ThreadDetail>& threads);

} // namespace heddle
