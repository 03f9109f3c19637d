#include "samples.h"

#include "report/reporter.h"
#include "report/sarif_rules.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <sstream>

namespace heddle::test {

namespace {

using Json = nlohmann::json;

Json render(const Report& report, const std::string& sourceRoot = "") {
  ReportOptions options;
  options.sourceRoot = sourceRoot;
  std::ostringstream out;
  (*createReporter("sarif"))->write(report, out, options);
  return Json::parse(out.str()).at("runs").at(0);
}

std::string uriOf(const std::string& file, const std::string& sourceRoot) {
  Report report = assertionReport();
  report.findings[0].failure->site->location.file = file;
  return render(report, sourceRoot)
      .at("/results/0/locations/0/physicalLocation/artifactLocation/uri"_json_pointer);
}

} // namespace

TEST(Sarif, OneRulePerKindAndStatus) {
  const Json run = render(raceReport());
  const Json& rules = run.at("tool").at("driver").at("rules");
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].at("id"), "heddle-atomicity-violation-potential");
  EXPECT_EQ(rules[1].at("id"), "heddle-data-race-harmful");
  EXPECT_EQ(rules[0].at("properties").at("precision"), "medium");
  EXPECT_EQ(rules[1].at("properties").at("precision"), "very-high");
  EXPECT_EQ(run.at("results")[0].at("ruleIndex"), 1);
  EXPECT_EQ(run.at("results")[1].at("ruleIndex"), 0);
}

TEST(Sarif, SaysWhatRelativePathsStartFrom) {
  EXPECT_EQ(render(raceReport(), "/home/me/my bank").at("originalUriBaseIds").at("%SRCROOT%"),
            (Json{{"uri", "file:///home/me/my%20bank/"}}));
  EXPECT_TRUE(
      render(raceReport()).at("originalUriBaseIds").at("%SRCROOT%").contains("description"));
}

TEST(Sarif, LevelsFollowKindAndStatus) {
  EXPECT_STREQ(sarifLevel(FindingKind::DataRace, FindingStatus::Potential), "note");
  EXPECT_STREQ(sarifLevel(FindingKind::DataRace, FindingStatus::Confirmed), "warning");
  EXPECT_STREQ(sarifLevel(FindingKind::DataRace, FindingStatus::Harmful), "error");
  EXPECT_STREQ(sarifLevel(FindingKind::Assertion, FindingStatus::Confirmed), "error");
  EXPECT_STREQ(sarifLevel(FindingKind::Deadlock, FindingStatus::Potential), "note");
}

TEST(Sarif, SaysInWhichTest) {
  Report report = assertionReport();
  EXPECT_FALSE(render(report).at("/results/0/properties"_json_pointer).contains("test"));
  report.findings[0].test = "Bank.Pays";
  const Json result = render(report).at("results")[0];
  EXPECT_EQ(result.at("/properties/test"_json_pointer), "Bank.Pays");
  EXPECT_NE(result.at("/message/text"_json_pointer).get<std::string>().find("In test Bank.Pays"),
            std::string::npos);
}

TEST(Sarif, TheFingerprintIsTheIdAndNoLine) {
  Report moved = assertionReport();
  const Json before = render(moved).at("results")[0].at("partialFingerprints");
  moved.findings[0].failure->site->location.line += 100;
  EXPECT_EQ(render(moved).at("results")[0].at("partialFingerprints"), before);
  EXPECT_EQ(before.at("primaryLocationLineHash"), "H-3f2a00000001:1");
}

TEST(Sarif, HasTheOtherPatternsOfABug) {
  const Json result = render(violationReport()).at("results").at(0);
  const Json& related = result.at("properties").at("related");
  ASSERT_EQ(related.size(), 5u);
  EXPECT_EQ(related[0].at("id"), "H-b00000000000");
  EXPECT_EQ(related[0].at("pattern"), 2);
  EXPECT_FALSE(render(assertionReport()).at("results").at(0).at("properties").contains("related"));
}

TEST(Sarif, AThreadFlowPerThreadInOneOrder) {
  const Json run = render(assertionReport());
  const Json& flows = run.at("/results/0/codeFlows"_json_pointer);
  ASSERT_EQ(flows.size(), 1u);
  const Json& threads = flows[0].at("threadFlows");
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads[0].at("id"), "T1");
  EXPECT_EQ(threads[1].at("id"), "T2");
  std::set<int> orders;
  for (const Json& thread : threads)
    for (const Json& step : thread.at("locations"))
      EXPECT_TRUE(orders.insert(step.at("executionOrder").get<int>()).second);
  EXPECT_EQ(orders.size(), 8u);
  EXPECT_EQ(*orders.begin(), 1);
  EXPECT_EQ(*orders.rbegin(), 8);
}

TEST(Sarif, PathsAreRelativeToTheRoot) {
  EXPECT_EQ(uriOf("/home/me/project/src/a.cpp", "/home/me/project"), "src/a.cpp");
  EXPECT_EQ(uriOf("/home/me/project/src/a.cpp", "/home/me/project/"), "src/a.cpp");
  EXPECT_EQ(uriOf("/home/me/projectile/a.cpp", "/home/me/project"),
            "file:///home/me/projectile/a.cpp");
  EXPECT_EQ(uriOf("/srv/include/x", ""), "file:///srv/include/x");
  EXPECT_EQ(uriOf("./src/../src/a.cpp", "/home/me/project"), "src/a.cpp");
  EXPECT_EQ(uriOf("a b%#.cpp", ""), "a%20b%25%23.cpp");
}

TEST(Sarif, WithoutALocationTheProgramStandsIn) {
  const Json run = render(hostileReport());
  const Json& place = run.at("/results/0/locations/0/physicalLocation"_json_pointer);
  EXPECT_EQ(place.at("artifactLocation").at("uri"), "a%20program");
  EXPECT_EQ(place.at("region").at("startLine"), 1);
}

TEST(Sarif, LostControlIsNoSuccess) {
  Report report = nothingReport();
  EXPECT_EQ(render(report).at("/invocations/0/executionSuccessful"_json_pointer), true);
  report.lost = "it was killed";
  const Json invocation = render(report).at("/invocations/0"_json_pointer);
  EXPECT_EQ(invocation.at("executionSuccessful"), false);
  EXPECT_EQ(invocation.at("/toolExecutionNotifications/0/level"_json_pointer), "error");
}

TEST(Sarif, NothingFoundIsAnEmptyListOfResults) {
  const Json run = render(nothingReport());
  EXPECT_TRUE(run.at("results").is_array());
  EXPECT_TRUE(run.at("results").empty());
  EXPECT_TRUE(run.at("tool").at("driver").at("rules").is_array());
}

} // namespace heddle::test
