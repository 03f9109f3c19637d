#pragma once

#include "report/reporter.h"

namespace heddle {

/// For people: gcc's first line, the interleaving as a table, TSan's words, a SUMMARY: line.
class TextReporter : public Reporter {
public:
  void write(const Report& report, std::ostream& out, const ReportOptions& options) override;
};

} // namespace heddle
