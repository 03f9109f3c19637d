#pragma once

#include "describe/object_names.h"
#include "describe/operations.h"
#include "model/finding.h"

namespace heddle {

/// One operation of a run as a report shows it.
Step stepOf(const std::vector<Operation>& operations, size_t index, const RunRecord& record,
            const ObjectNames& objects);

/// The steps that a report shows: at most `mostRows` of those that a Selection has, the end of the
/// run before its beginning. Where operations that matter were left out, a row says how many;
/// rounds that repeat are one row. The accesses that met in the run, and what made a wake-up miss
/// its thread, are always there; an access that the run ended before is "about to" be made.
std::vector<Step> selectSteps(const RecordedRun& run, const ObjectNames& objects,
                              const std::vector<Decision>& decisions, size_t mostRows = 48);

} // namespace heddle
