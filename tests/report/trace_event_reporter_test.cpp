#include "samples.h"

#include "report/reporter.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace heddle::test {

namespace {

using Json = nlohmann::json;

std::vector<Json> eventsOf(const Report& report, const std::string& phase) {
  std::ostringstream out;
  (*createReporter("trace-event"))->write(report, out, {});
  std::vector<Json> events;
  const Json json = Json::parse(out.str());
  for (const Json& event : json.at("traceEvents"))
    if (event.at("ph") == phase)
      events.push_back(event);
  return events;
}

} // namespace

TEST(TraceEvent, AStepIsAnEventOnItsThreadsTrack) {
  const auto steps = eventsOf(assertionReport(), "X");
  ASSERT_EQ(steps.size(), 8u);
  EXPECT_EQ(steps[1].at("ts"), 13);
  EXPECT_EQ(steps[1].at("tid"), 1);
  EXPECT_EQ(steps[1].at("name"), "read Account::balance_");
  EXPECT_EQ(steps[1].at("args").at("value"), "= 100");
  EXPECT_EQ(steps[3].at("tid"), 2);
}

TEST(TraceEvent, TracksHaveNames) {
  std::map<int, std::string> names;
  for (const Json& event : eventsOf(assertionReport(), "M"))
    if (event.at("name") == "thread_name")
      names[event.at("tid")] = event.at("args").at("name");
  EXPECT_EQ(names, (std::map<int, std::string>{{0, "T0 main"}, {1, "T1 rent"}, {2, "T2"}}));
}

TEST(TraceEvent, SwitchesAndTheConflictAreFlows) {
  const auto starts = eventsOf(raceReport(), "s");
  const auto ends = eventsOf(raceReport(), "f");
  ASSERT_EQ(starts.size(), 3u);
  ASSERT_EQ(ends.size(), 3u);
  for (size_t i = 0; i < starts.size(); ++i) {
    EXPECT_EQ(starts[i].at("id"), ends[i].at("id"));
    EXPECT_LT(starts[i].at("ts"), ends[i].at("ts"));
    EXPECT_NE(starts[i].at("tid"), ends[i].at("tid"));
  }
  EXPECT_EQ(starts[2].at("name"), "conflict");
  EXPECT_EQ(starts[2].at("ts"), 5);
  EXPECT_EQ(ends[2].at("ts"), 7);
}

TEST(TraceEvent, EachFindingIsAProcess) {
  std::set<int> processes;
  for (const Json& event : eventsOf(raceReport(), "M"))
    processes.insert(event.at("pid").get<int>());
  EXPECT_EQ(processes, (std::set<int>{1, 2}));
}

TEST(TraceEvent, TheProcessHasTheNameOfTheTest) {
  Report report = assertionReport();
  report.findings[0].test = "Bank.Pays";
  const std::string name = eventsOf(report, "M").front().at("args").at("name");
  EXPECT_EQ(name, report.findings[0].id + " assertion failure in test Bank.Pays");
}

TEST(TraceEvent, TheFailureEndsTheTimeline) {
  const auto failures = eventsOf(assertionReport(), "i");
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].at("ts"), 21);
  EXPECT_EQ(failures[0].at("tid"), 1);
}

} // namespace heddle::test
