#pragma once

#include "report/reporter.h"

#include <nlohmann/json_fwd.hpp>

namespace heddle {

/// The number in `format` of the JSON of a report: it grows when a key changes its meaning or goes,
/// not when one is added. docs/formats.md has its history.
constexpr int kReportFormat = 2;

/// The report as the object of docs/formats.md: what `--format=json` writes, and all that the page
/// of
/// `--format=html` knows.
nlohmann::ordered_json reportToJson(const Report& report, const ReportOptions& options);

} // namespace heddle
