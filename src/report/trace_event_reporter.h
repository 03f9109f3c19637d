#pragma once

#include "report/reporter.h"

namespace heddle {

/// The interleaving as a timeline in Chrome's trace-event JSON, which Perfetto opens: the step
/// number is the time, every thread a track, every finding a process.
class TraceEventReporter : public Reporter {
public:
  void write(const Report& report, std::ostream& out, const ReportOptions& options) override;
};

} // namespace heddle
