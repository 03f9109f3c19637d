#include "report/report_json.h"

#include "report/decisive_step.h"
#include "report/finding_commands.h"
#include "report/source_excerpts.h"
#include "report/summary_json.h"
#include "report/wording.h"
#include "store/finding_json.h"

#include <nlohmann/json.hpp>

namespace heddle {

using Json = nlohmann::ordered_json;

namespace {

Json argumentsOf(const std::vector<std::string>& argv) {
  Json arguments = Json::array();
  for (size_t i = 1; i < argv.size(); ++i)
    arguments.push_back(argv[i]);
  return arguments;
}

Json findingsOf(const Report& report) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) {
    Json json = findingToJson(finding);
    if (const auto decisive = decisiveStep(finding.steps))
      json["decisive_step"] = *decisive;
    Json commands = Json::object();
    for (const FindingCommand& command : findingCommands(finding))
      commands[command.name] = command.text;
    if (!commands.empty())
      json["commands"] = std::move(commands);
    findings.push_back(std::move(json));
  }
  return findings;
}

/// What the kinds and statuses that occur are called and mean, so that readers need no table.
Json wordsOf(const Report& report) {
  Json kinds = Json::object();
  Json statuses = Json::object();
  for (const Finding& finding : report.findings) {
    const KindWords& words = kindWords(finding.kind);
    kinds[findingKindName(finding.kind)] = {
        {"title", words.title}, {"description", words.description}, {"advice", words.advice}};
    statuses[findingStatusName(finding.status)] = statusMeaning(finding.status);
  }
  return Json{{"kinds", std::move(kinds)}, {"statuses", std::move(statuses)}};
}

} // namespace

Json reportToJson(const Report& report, const ReportOptions& options) {
  Json json{{"heddle", HEDDLE_VERSION},
            {"format", kReportFormat},
            {"command", report.command},
            {"program", report.program.empty() ? "" : report.program.front()},
            {"arguments", argumentsOf(report.program)},
            {"seconds", report.seconds},
            {"runs", report.runs},
            {"judging_runs", report.judgingRuns},
            {"findings", findingsOf(report)},
            {"summary", report.summary},
            {"warnings", report.warnings},
            {"not_seen", report.notSeen}};
  if (report.interrupted)
    json["interrupted"] = true;
  if (!report.lost.empty())
    json["lost"] = report.lost;
  if (!options.time.empty())
    json["time"] = options.time;
  if (!options.sourceRoot.empty())
    json["source_root"] = options.sourceRoot;
  if (!report.findings.empty())
    json["words"] = wordsOf(report);
  if (options.readSource)
    json["sources"] = sourceExcerpts(report, options.readSource);
  addSummary(json, report);
  return json;
}

} // namespace heddle
