#pragma once

#include "model/summary.h"

#include <string>
#include <vector>

namespace heddle {

/// A table for the summary of a report: test, runs, findings, status. Tests that were not explored
/// for the same reason are counted in one line when there are many.
std::vector<std::string> testTable(const std::vector<TestOutcome>& outcomes);

} // namespace heddle
