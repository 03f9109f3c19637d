#pragma once

#include "model/recorded_run.h"
#include "model/result.h"

#include <string>

namespace heddle {

/// Where a replay leaves the recorded run: the first operation that another thread does, or that is
/// another one, with both places in the program. Addresses and values are not compared, because
/// they differ between builds. Empty when there is no such operation, or when one of the runs was
/// too long to be kept whole.
std::string firstDifference(const RecordedRun& recorded, const RecordedRun& replayed,
                            const std::vector<Decision>& decisions);

/// The run that a kept trace shows, as far as firstDifference needs it.
Result<RecordedRun> readKeptTrace(const std::string& path);

} // namespace heddle
