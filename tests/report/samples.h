#pragma once

#include "model/report.h"

#include <string>
#include <vector>

namespace heddle::test {

struct Sample {
  std::string name;
  Report report;
  bool colour = false;
  bool showOutput = false;
};

/// The reports whose output in every format is approved in tests/report/approved/.
std::vector<Sample> samples();

Report assertionReport();
Report raceReport();
/// A violation with more patterns of the same bug than the text shows.
Report violationReport();
Report deadlockReport();
Report nothingReport();
/// Everything that can break a format: control characters, no locations, many threads and steps.
Report hostileReport();

} // namespace heddle::test
