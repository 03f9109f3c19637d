#pragma once

#include "model/report.h"
#include "model/result.h"

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// A file of source as it is now.
struct SourceText {
  std::string text;
  bool changed = false; ///< after the program was built: its lines may be others
};

/// Gives a file of source, or nothing when it cannot be read.
using SourceReader = std::function<std::optional<SourceText>(const std::string& file)>;

/// How a report is to look; the caller knows the terminal, reporters never ask.
struct ReportOptions {
  bool colour = false;     ///< use wantColour()
  bool showOutput = false; ///< text: the program's output in the failing run
  std::string sourceRoot;  ///< text, SARIF, HTML: paths below it are relative to it; "" as they are
  unsigned width = 0;      ///< text: columns of the terminal; 0: a table is as wide as it gets
  unsigned maxSteps = 80;  ///< text: rows of an interleaving; the middle of a longer one is cut
  std::string time = {};   ///< JSON, HTML: when, UTC, "2025-01-31T12:00:00Z"; "" is not said
  SourceReader readSource = {}; ///< JSON, HTML: for the lines around what is named; empty: none
};

/// Writes one report in one format. A report is plain data; reporters add no judgement, and the
/// same report always gives the same bytes.
class Reporter {
public:
  virtual ~Reporter() = default;
  virtual void write(const Report& report, std::ostream& out, const ReportOptions& options) = 0;
};

/// "text", "json", "sarif", "trace-event", "html": the order in which help texts list them.
std::vector<std::string> reporterNames();

/// The reporter with this name; the error of an unknown one lists the known ones.
Result<std::unique_ptr<Reporter>> createReporter(const std::string& name);

/// Whether to use colour: only on a terminal, and not when NO_COLOR is set and not empty.
bool wantColour(bool isTerminal);

} // namespace heddle
