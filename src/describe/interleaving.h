#pragma once

#include "describe/object_names.h"
#include "model/finding.h"

namespace heddle {

/// The steps that a report shows: at most `mostRows` of those that a Selection has, the end of the
/// run before its beginning. Where operations that matter were left out, a row says how many.
std::vector<Step> selectSteps(const RecordedRun& run, const ObjectNames& objects,
                              const std::vector<Decision>& decisions, size_t mostRows = 48);

} // namespace heddle
