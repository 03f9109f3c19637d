#include "describe/divergence.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

constexpr uint64_t kFirst = 0x10000;
constexpr uint64_t kSecond = 0x20000;

SiteEntry siteOn(uint32_t line, const char* object) {
  SiteEntry site;
  site.identity = static_cast<SiteIdentity>(line);
  site.linkageName = site.function = "worker";
  site.file = "a.cpp";
  site.line = line;
  site.column = 3;
  site.object = object;
  return site;
}

/// Writes on lines 1 (first) and 2 (second) of a program whose lines may have moved.
RecordedRun runOf(const std::vector<std::pair<unsigned, uint32_t>>& writes, uint32_t moved = 0,
                  uint64_t elsewhere = 0) {
  RecordedRun run;
  run.record.sites = std::make_shared<SiteCatalog>(
      std::vector<SiteEntry>{{}, siteOn(1 + moved, "first"), siteOn(2 + moved, "second")});
  for (auto [thread, site] : writes) {
    Event event{};
    event.kind = static_cast<uint8_t>(EventKind::Write);
    event.address = (site == 1 ? kFirst : kSecond) + elsewhere;
    event.site = site;
    event.thread = thread & 0xffff;
    event.size = 4;
    run.events.push_back(event);
  }
  run.totalEvents = run.events.size();
  return run;
}

TEST(FirstDifference, IsEmptyForTheSameRun) {
  EXPECT_EQ(firstDifference(runOf({{1, 1}, {2, 2}}), runOf({{1, 1}, {2, 2}}), {}), "");
}

TEST(FirstDifference, LinesAndAddressesMayMove) {
  EXPECT_EQ(firstDifference(runOf({{1, 1}, {2, 2}}), runOf({{1, 1}, {2, 2}}, 10, 0x1000), {}), "");
}

TEST(FirstDifference, NamesBothPlaces) {
  EXPECT_EQ(firstDifference(runOf({{1, 1}, {2, 1}}), runOf({{1, 1}, {2, 2}}), {}),
            "they part at step 2: recorded was T2 write first at a.cpp:1:3, the replay has T2 "
            "write second at a.cpp:2:3");
}

TEST(FirstDifference, SeesAnotherThread) {
  EXPECT_EQ(firstDifference(runOf({{1, 1}}), runOf({{2, 1}}), {}),
            "they part at step 1: recorded was T1 write first at a.cpp:1:3, the replay has T2 "
            "write first at a.cpp:1:3");
}

TEST(FirstDifference, SeesWhichRunEndsFirst) {
  EXPECT_EQ(firstDifference(runOf({{1, 1}, {1, 2}}), runOf({{1, 1}}), {}),
            "they part at step 2: recorded was T1 write second at a.cpp:2:3, the replay ends "
            "before");
  EXPECT_EQ(firstDifference(runOf({{1, 1}}), runOf({{1, 1}, {1, 2}}), {}),
            "they part at step 2: the recorded run ended there, the replay has T1 write second at "
            "a.cpp:2:3");
}

TEST(FirstDifference, SaysNothingAboutRunsThatAreNotWhole) {
  RecordedRun cut = runOf({{1, 1}});
  cut.totalEvents = 5;
  EXPECT_EQ(firstDifference(cut, runOf({{2, 2}}), {}), "");
}

} // namespace
} // namespace heddle
