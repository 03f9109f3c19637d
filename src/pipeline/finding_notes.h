#pragma once

#include "model/finding.h"
#include "pipeline/confirmation.h"

#include <string>
#include <vector>

namespace heddle {

/// What a reader has to know beside the finding: what it depends on, which option it needs, and
/// whether the program may be meant to do this. `recorded` may be null.
std::vector<std::string> notesOf(FindingKind kind, const FailingRun& failing,
                                 const RecordedRun* recorded);

} // namespace heddle
