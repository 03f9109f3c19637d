#include "report/json_reporter.h"

#include "store/finding_json.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace heddle {

using Json = nlohmann::ordered_json;

namespace {

Json argumentsOf(const std::vector<std::string>& argv) {
  Json arguments = Json::array();
  for (size_t i = 1; i < argv.size(); ++i)
    arguments.push_back(argv[i]);
  return arguments;
}

/// What a command adds is raw JSON; text that is none is kept as a string rather than lost.
void addExtra(Json& json, const std::string& key, const std::string& raw) {
  Json value = Json::parse(raw, nullptr, false);
  if (value.is_discarded())
    value = raw;
  json.emplace(key, std::move(value));
}

} // namespace

void JsonReporter::write(const Report& report, std::ostream& out, const ReportOptions&) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings)
    findings.push_back(findingToJson(finding));
  Json json{{"heddle", HEDDLE_VERSION},
            {"command", report.command},
            {"program", report.program.empty() ? "" : report.program.front()},
            {"arguments", argumentsOf(report.program)},
            {"seconds", report.seconds},
            {"runs", report.runs},
            {"judging_runs", report.judgingRuns},
            {"findings", std::move(findings)},
            {"summary", report.summary},
            {"warnings", report.warnings},
            {"not_seen", report.notSeen}};
  if (report.interrupted)
    json["interrupted"] = true;
  if (!report.lost.empty())
    json["lost"] = report.lost;
  for (const auto& [key, raw] : report.extra)
    addExtra(json, key, raw);
  out << dumpJsonIndented(json) << "\n";
}

} // namespace heddle
