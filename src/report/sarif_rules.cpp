#include "report/sarif_rules.h"

#include "report/wording.h"

#include <nlohmann/json.hpp>

#include <cctype>

namespace heddle {

using Json = nlohmann::ordered_json;

namespace {

const char* precision(FindingStatus status) {
  switch (status) {
  case FindingStatus::Harmful:
    return "very-high";
  case FindingStatus::Confirmed:
    return "high";
  case FindingStatus::Potential:
    return "medium";
  }
  return "medium";
}

/// "data-race" and "confirmed" give "DataRaceConfirmed".
std::string ruleName(FindingKind kind, FindingStatus status) {
  std::string name;
  bool startsWord = true;
  for (const char c : std::string(findingKindName(kind)) + "-" + findingStatusName(status)) {
    if (c == '-') {
      startsWord = true;
      continue;
    }
    name += startsWord ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    startsWord = false;
  }
  return name;
}

std::string capitalised(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// GitHub's names for the severities of rules that are not about security.
std::string problemSeverity(const std::string& level) {
  return level == "note" ? "recommendation" : level;
}

} // namespace

std::string sarifRuleId(FindingKind kind, FindingStatus status) {
  return std::string("heddle-") + findingKindName(kind) + "-" + findingStatusName(status);
}

const char* sarifLevel(FindingKind kind, FindingStatus status) {
  if (status == FindingStatus::Potential)
    return "note";
  // A race or a violation that a run has shown may still be benign; a failure is not.
  const bool isFailure = kind != FindingKind::DataRace && kind != FindingKind::AtomicityViolation;
  return isFailure || status == FindingStatus::Harmful ? "error" : "warning";
}

Json sarifRule(FindingKind kind, FindingStatus status) {
  const KindWords& words = kindWords(kind);
  const std::string title = capitalised(words.title);
  const std::string statusName = findingStatusName(status);
  const std::string meaning = statusName + ": " + statusMeaning(status);
  const std::string level = sarifLevel(kind, status);
  return Json{{"id", sarifRuleId(kind, status)},
              {"name", ruleName(kind, status)},
              {"shortDescription", {{"text", title + " (" + statusName + ")"}}},
              {"fullDescription",
               {{"text", std::string(words.description) + " " + capitalised(meaning) + "."}}},
              {"help",
               {{"text", std::string(words.description) + "\n" + capitalised(meaning) +
                             ".\nWhat usually repairs it: " + words.advice},
                {"markdown", "**" + title + "**\n\n" + words.description + "\n\n*" +
                                 capitalised(statusName) + "*: " + statusMeaning(status) +
                                 ".\n\n**What usually repairs it:** " + words.advice}}},
              {"defaultConfiguration", {{"level", level}}},
              {"properties",
               {{"precision", precision(status)},
                {"problem.severity", problemSeverity(level)},
                {"tags", Json::array({"concurrency", "correctness"})}}}};
}

} // namespace heddle
