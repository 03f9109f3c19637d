#pragma once

#include "report/reporter.h"

namespace heddle {

/// For programs: one JSON object, described in docs/formats.md.
class JsonReporter : public Reporter {
public:
  void write(const Report& report, std::ostream& out, const ReportOptions& options) override;
};

} // namespace heddle
