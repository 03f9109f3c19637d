#include "pipeline/googletest/test_table.h"

#include "pipeline/googletest/test_listing.h"

#include <algorithm>
#include <map>

namespace heddle {
namespace {

/// Tests that were not explored for one reason and are still listed one by one.
constexpr size_t kListed = 8;

std::string statusText(const TestOutcome& outcome) {
  bool shown = outcome.end == TestEnd::Skipped || outcome.end == TestEnd::NotRun;
  return testEndName(outcome.end) + (shown ? ": " + outcome.why : std::string());
}

bool explored(const TestOutcome& outcome) {
  return outcome.end == TestEnd::NothingFound || outcome.end == TestEnd::Found ||
         outcome.end == TestEnd::Lost;
}

std::string padded(const std::string& text, size_t width, bool right) {
  std::string space(width - std::min(width, text.size()), ' ');
  return right ? space + text : text + space;
}

/// What all tests with this status have in common, and how to get at those that were left out.
std::string groupText(const std::string& status, size_t count) {
  std::string text = std::to_string(count) + " more tests: " + status;
  if (status.ends_with(kNoHeddleTest))
    text += " (--gtest=all explores them, too)";
  return text;
}

} // namespace

std::vector<std::string> testTable(const std::vector<TestOutcome>& outcomes) {
  std::map<std::string, size_t> groups; // by status, of what was not explored
  for (const TestOutcome& outcome : outcomes)
    if (!explored(outcome))
      ++groups[statusText(outcome)];
  auto isListed = [&](const TestOutcome& outcome) {
    return explored(outcome) || groups[statusText(outcome)] <= kListed;
  };
  size_t width = 4;
  for (const TestOutcome& outcome : outcomes)
    if (isListed(outcome))
      width = std::max(width, outcome.test.size());
  std::vector<std::string> lines = {padded("test", width, false) + "     runs  findings  status"};
  for (const TestOutcome& outcome : outcomes)
    if (isListed(outcome))
      lines.push_back(
          padded(outcome.test, width, false) + padded(std::to_string(outcome.runs), 9, true) +
          padded(std::to_string(outcome.findings.size()), 10, true) + "  " + statusText(outcome));
  for (const auto& [status, count] : groups)
    if (count > kListed)
      lines.push_back(groupText(status, count));
  return lines;
}

} // namespace heddle
