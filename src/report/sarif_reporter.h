#pragma once

#include "report/reporter.h"

namespace heddle {

/// SARIF 2.1.0 as GitHub code scanning reads it; docs/formats.md has the mapping.
class SarifReporter : public Reporter {
public:
  void write(const Report& report, std::ostream& out, const ReportOptions& options) override;
};

} // namespace heddle
