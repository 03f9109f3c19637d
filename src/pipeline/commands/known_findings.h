#pragma once

#include "control/options.h"
#include "model/report.h"

namespace heddle {

/// Says of findings that show what is known about a library that they do, with a reference. Races
/// of that kind that harm nobody are left out, and a line of the summary says so. --no-known leaves
/// all as it is.
void tellKnownIssues(Report& report, const Options& options);

} // namespace heddle
