#pragma once

#include "model/finding.h"
#include "model/result.h"

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace heddle {

/// How a report is to look; the caller knows the terminal, reporters never ask.
struct ReportOptions {
  bool colour = false;     ///< use wantColour()
  bool showOutput = false; ///< text: the program's output in the failing run
  std::string sourceRoot;  ///< text, SARIF: paths below it are relative to it; "" as they are
  unsigned maxSteps = 80;  ///< text: rows of an interleaving; the middle of a longer one is cut
};

/// Writes one report in one format. A report is plain data; reporters add no judgement, and the
/// same report always gives the same bytes.
class Reporter {
public:
  virtual ~Reporter() = default;
  virtual void write(const Report& report, std::ostream& out, const ReportOptions& options) = 0;
};

/// "text", "json", "sarif", "trace-event": the order in which help texts list them.
std::vector<std::string> reporterNames();

/// The reporter with this name; the error of an unknown one lists the known ones.
Result<std::unique_ptr<Reporter>> createReporter(const std::string& name);

/// Whether to use colour: only on a terminal, and not when NO_COLOR is set and not empty.
bool wantColour(bool isTerminal);

} // namespace heddle
