#include "samples.h"

#include "report/reporter.h"
#include "store/finding_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace heddle::test {

namespace {

nlohmann::json render(const Report& report) {
  std::ostringstream out;
  (*createReporter("json"))->write(report, out, {});
  return nlohmann::json::parse(out.str());
}

} // namespace

TEST(JsonReporter, HasTheFieldsOfTheContract) {
  const auto json = render(assertionReport());
  EXPECT_EQ(json.at("heddle"), HEDDLE_VERSION);
  EXPECT_EQ(json.at("command"), "check");
  EXPECT_EQ(json.at("program"), "./bank");
  EXPECT_EQ(json.at("arguments"), (std::vector<std::string>{"--accounts", "3"}));
  EXPECT_EQ(json.at("seconds"), 1.25);
  EXPECT_EQ(json.at("runs"), 1037);
  ASSERT_EQ(json.at("findings").size(), 1u);
  EXPECT_EQ(json.at("findings")[0].at("id"), "H-3f2a00000001");
  EXPECT_EQ(json.at("not_seen").size(), 1u);
}

TEST(JsonReporter, WithoutFindingsTheArrayIsThere) {
  const auto json = render(nothingReport());
  EXPECT_TRUE(json.at("findings").is_array());
  EXPECT_TRUE(json.at("findings").empty());
  EXPECT_EQ(render(Report()).at("program"), "");
}

TEST(JsonReporter, TellsWhatASearchDid) {
  const auto json = render(raceReport());
  EXPECT_EQ(json.at("static_candidates"), 12);
  EXPECT_EQ(json.at("static_only"), 3);
  EXPECT_EQ(json.at("candidates"), 15);
  EXPECT_EQ(json.at("functions_not_seen").at(0).at("functions").at(0), "bar()");
  EXPECT_FALSE(json.contains("patterns")) << "it had no part in the command";
  EXPECT_FALSE(json.contains("error"));
}

TEST(JsonReporter, TellsWhyControlWasLost) {
  Report report = raceReport();
  report.lost = "no progress";
  EXPECT_EQ(render(report).at("error"), "no progress");
}

TEST(JsonReporter, TellsWhatExploringMeans) {
  Report report;
  auto& facts = report.factsAs<ExploreSummary>();
  facts.equivalence = "reads-from";
  facts.runs = 9;
  facts.complete = 7;
  EXPECT_EQ(render(report).at("verdict").at("exhaustive"), true);
  EXPECT_EQ(render(report).at("verdict").at("classes"), 7);
  facts.caveats = {"it was interrupted"};
  EXPECT_EQ(render(report).at("verdict").at("exhaustive"), false);
}

TEST(JsonReporter, TellsWhatEachStageOfAnAnalysisRemoves) {
  Report report;
  auto& facts = report.factsAs<AnalyzeSummary>();
  facts.stages = {100, 90, 80, 70, 60, 40, 30, 5};
  const auto json = render(report);
  EXPECT_EQ(json.at("stages").at("unlocked"), 60);
  EXPECT_EQ(json.at("removed").at("parallel"), 20);
  EXPECT_EQ(json.at("removed").at("slots"), 25);
  EXPECT_FALSE(json.contains("pairs")) << "nobody asked for them";
}

TEST(JsonReporter, TellsHowEachTestEnded) {
  Report report;
  report.facts = SuiteSummary{{{"A.b", TestEnd::Skipped, "disabled"}}, {}};
  const auto test = render(report).at("tests").at(0);
  EXPECT_EQ(test.at("status"), "skipped");
  EXPECT_EQ(test.at("why"), "disabled");
}

TEST(JsonReporter, FindingsReadBack) {
  std::ostringstream out;
  const Report report = raceReport();
  (*createReporter("json"))->write(report, out, {});
  const auto json = nlohmann::ordered_json::parse(out.str());
  const auto finding = findingFromJson(json.at("findings").at(0));
  ASSERT_TRUE(finding) << finding.error().message;
  EXPECT_EQ(dumpJson(findingToJson(*finding)), dumpJson(findingToJson(report.findings[0])));
}

} // namespace heddle::test
