#pragma once

#include "report/reporter.h"

namespace heddle {

/// One page that needs nothing else: the viewer of viewer/ with the JSON of the report in it,
/// compressed and in letters that cannot end a script element.
class HtmlReporter : public Reporter {
public:
  void write(const Report& report, std::ostream& out, const ReportOptions& options) override;
};

/// The page without data, as viewer/ was built.
std::string_view viewerPage();

} // namespace heddle
