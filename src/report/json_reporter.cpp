#include "report/json_reporter.h"

#include "report/report_json.h"
#include "store/finding_json.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace heddle {

void JsonReporter::write(const Report& report, std::ostream& out, const ReportOptions& options) {
  out << dumpJsonIndented(reportToJson(report, options)) << "\n";
}

} // namespace heddle
