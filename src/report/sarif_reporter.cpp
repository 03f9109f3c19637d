#include "report/sarif_reporter.h"

#include "report/paths.h"
#include "report/sarif_rules.h"
#include "report/wording.h"
#include "store/finding_json.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <ostream>

namespace heddle {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What relative paths are relative to.
constexpr const char* kSourceRoot = "%SRCROOT%";

std::string uriEscaped(const std::string& path) {
  constexpr const char* hex = "0123456789ABCDEF";
  constexpr std::string_view plain = "-._~/+@";
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || plain.find(c) != std::string_view::npos)
      uri += c;
    else
      uri += {'%', hex[byte >> 4], hex[byte & 15]};
  }
  return uri;
}

/// GitHub shows results only at paths relative to the repository.
Json artifactLocation(const std::string& file, const std::string& sourceRoot) {
  const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  if (path.is_relative())
    return Json{{"uri", uriEscaped(path.generic_string())}, {"uriBaseId", kSourceRoot}};
  if (const std::string relative = relativePath(file, sourceRoot); relative != file)
    return Json{{"uri", uriEscaped(relative)}, {"uriBaseId", kSourceRoot}};
  return Json{{"uri", "file://" + uriEscaped(path.generic_string())}};
}

Json sourceRootLocation(const std::string& sourceRoot) {
  if (sourceRoot.empty())
    return Json{{"description", {{"text", "The folder that relative paths start from."}}}};
  const bool closed = sourceRoot.ends_with("/");
  return Json{{"uri", "file://" + uriEscaped(sourceRoot) + (closed ? "" : "/")}};
}

Json region(const Location& location) {
  Json json{{"startLine", location.line}};
  if (location.column != 0)
    json["startColumn"] = location.column;
  return json;
}

/// Writes the results of one report.
class Results {
public:
  Results(const Report& report, const ReportOptions& options) : report_(report), options_(options) {
    // Sorted by id, so that the list does not depend on the order of findings.
    std::map<std::string, std::pair<FindingKind, FindingStatus>> used;
    for (const Finding& finding : report.findings)
      used.emplace(sarifRuleId(finding.kind, finding.status),
                   std::pair(finding.kind, finding.status));
    for (const auto& [id, rule] : used) {
      ruleIndex_.emplace(id, ruleIndex_.size());
      rules_.push_back(sarifRule(rule.first, rule.second));
    }
  }

  const Json& rules() const { return rules_; }

  Json results() const {
    Json list = Json::array();
    for (const Finding& finding : report_.findings)
      list.push_back(result(finding));
    return list;
  }

private:
  Json physicalLocation(const Location& location) const {
    Json json{{"artifactLocation", artifactLocation(location.file, options_.sourceRoot)}};
    if (location.line != 0)
      json["region"] = region(location);
    return json;
  }

  /// A location with a message; without a known file only the message is left.
  Json location(const Location& place, const std::string& message) const {
    Json json = Json::object();
    if (!place.file.empty())
      json["physicalLocation"] = physicalLocation(place);
    if (!place.function.empty())
      json["logicalLocations"] =
          Json::array({Json{{"fullyQualifiedName", place.function}, {"kind", "function"}}});
    if (!message.empty())
      json["message"] = {{"text", message}};
    return json;
  }

  /// GitHub drops results without a place in a file, so the program stands in for an unknown one.
  Json primary(const Finding& finding) const {
    Location place = primaryLocation(finding);
    if (place.file.empty()) {
      place.file = report_.program.empty() ? "unknown" : report_.program.front();
      place.line = 1;
    }
    return location(place, "");
  }

  Json related(const Finding& finding) const {
    Json list = Json::array();
    for (const FindingSite& site : finding.sites) {
      if (site.location.file.empty())
        continue;
      Json json{{"id", list.size() + 1}};
      json.update(location(site.location, accessText(site) + " by " + threadText(site.thread)));
      list.push_back(std::move(json));
    }
    if (const auto& missing = finding.missingOrder) {
      addAtomic(list, *missing, missing->store);
      addAtomic(list, *missing, missing->load);
    }
    return list;
  }

  void addAtomic(Json& list, const MissingOrderInfo& missing, const AtomicAccess& access) const {
    if (access.location.file.empty())
      return;
    const std::string needs = access.needs.empty() ? "" : ", needs " + access.needs;
    Json json{{"id", list.size() + 1}};
    json.update(location(access.location, "Atomic " + access.access + " of " + missing.object +
                                              " with " + access.order + needs));
    list.push_back(std::move(json));
  }

  /// One flow with a threadFlow per thread; executionOrder tells how they interleave.
  Json codeFlows(const Finding& finding) const {
    std::map<unsigned, Json> flows;
    int order = 0;
    for (const Step& step : finding.steps) {
      const std::string message = step.value.empty() ? step.action : step.action + " " + step.value;
      Json json{{"executionOrder", ++order},
                {"importance", step.switched ? "essential" : "important"},
                {"location", location(step.location, message)}};
      auto [flow, isNew] = flows.emplace(step.thread, Json::array());
      flow->second.push_back(std::move(json));
    }
    Json threadFlows = Json::array();
    for (auto& [thread, locations] : flows)
      threadFlows.push_back(Json{{"id", "T" + std::to_string(thread)},
                                 {"message", {{"text", threadText(thread)}}},
                                 {"locations", std::move(locations)}});
    return Json::array({Json{{"threadFlows", std::move(threadFlows)}}});
  }

  Json result(const Finding& finding) const {
    const std::string rule = sarifRuleId(finding.kind, finding.status);
    std::string text = finding.message;
    if (!finding.test.empty())
      text += "\nIn test " + finding.test;
    if (!finding.replay.empty())
      text += "\nReplay: " + finding.replay;
    Json json{{"ruleId", rule},
              {"ruleIndex", ruleIndex_.at(rule)},
              {"level", isNote(finding) ? "note" : sarifLevel(finding.kind, finding.status)},
              {"message", {{"text", text}}},
              {"locations", Json::array({primary(finding)})}};
    if (Json sites = related(finding); !sites.empty())
      json["relatedLocations"] = std::move(sites);
    if (!finding.steps.empty())
      json["codeFlows"] = codeFlows(finding);
    // The id is made of names and never of lines: the alert stays when the file is edited above.
    json["partialFingerprints"] = {{"primaryLocationLineHash", finding.id + ":1"},
                                   {"heddleFinding/v1", finding.id}};
    json["properties"] = {{"id", finding.id},
                          {"status", findingStatusName(finding.status)},
                          {"schedule", finding.schedule},
                          {"replay", finding.replay},
                          {"notes", finding.notes}};
    if (!finding.test.empty())
      json["properties"]["test"] = finding.test;
    if (finding.probability)
      json["properties"]["probability"] = *finding.probability;
    if (finding.missingOrder)
      json["properties"]["missing_order"] = missingOrderToJson(*finding.missingOrder);
    for (const RelatedPattern& pattern : finding.related)
      json["properties"]["related"].push_back(
          {{"id", pattern.id}, {"pattern", pattern.pattern}, {"message", pattern.message}});
    return json;
  }

  const Report& report_;
  const ReportOptions& options_;
  std::map<std::string, size_t> ruleIndex_;
  Json rules_ = Json::array();
};

Json notifications(const Report& report) {
  Json list = Json::array();
  if (!report.lost.empty())
    list.push_back(Json{{"level", "error"}, {"message", {{"text", report.lost}}}});
  for (const std::string& warning : report.warnings)
    list.push_back(Json{{"level", "warning"}, {"message", {{"text", warning}}}});
  return list;
}

} // namespace

void SarifReporter::write(const Report& report, std::ostream& out, const ReportOptions& options) {
  const Results results(report, options);
  Json invocation{{"executionSuccessful", report.lost.empty()}};
  invocation["toolExecutionNotifications"] = notifications(report);
  invocation["properties"] = {{"command", report.command},
                              {"program", commandLine(report.program)},
                              {"runs", report.runs},
                              {"seconds", report.seconds},
                              {"not_seen", report.notSeen}};
  Json run{
      {"tool",
       {{"driver",
         {{"name", "heddle"}, {"semanticVersion", HEDDLE_VERSION}, {"rules", results.rules()}}}}},
      {"automationDetails", {{"id", "heddle/" + report.command + "/"}}},
      {"invocations", Json::array({std::move(invocation)})},
      {"originalUriBaseIds", {{kSourceRoot, sourceRootLocation(options.sourceRoot)}}},
      {"results", results.results()}};
  out << dumpJsonIndented(
             Json{{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({run})}})
      << "\n";
}

} // namespace heddle
