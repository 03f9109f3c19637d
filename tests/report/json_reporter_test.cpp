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

TEST(JsonReporter, ExtrasAreRawJsonAndNeverReplaceTheContract) {
  const auto json = render(raceReport());
  EXPECT_EQ(json.at("pairs").at("static"), 12);
  EXPECT_EQ(json.at("label"), "not JSON");
  EXPECT_EQ(json.at("runs"), 1037);
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
