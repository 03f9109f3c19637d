#include "pipeline/judging/same_bug.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

FindingSite site(const char* access, unsigned line, const char* object) {
  FindingSite site;
  site.access = access;
  site.object = object;
  site.location.file = "cache.cpp";
  site.location.line = line;
  return site;
}

Finding race(std::vector<FindingSite> sites) {
  Finding finding;
  finding.kind = FindingKind::DataRace;
  finding.status = FindingStatus::Confirmed;
  finding.sites = std::move(sites);
  return finding;
}

Finding failing(Finding finding, FindingKind kind, const char* message) {
  finding.status = FindingStatus::Harmful;
  finding.failure = FailureInfo{kind, message, std::nullopt};
  return finding;
}

Finding useAfterFree(unsigned access, unsigned free) {
  Finding finding;
  finding.kind = FindingKind::MemoryError;
  finding.status = FindingStatus::Confirmed;
  finding.sites = {site("read", access, "Config::a"), site("call", free, "old")};
  finding.failure = FailureInfo{FindingKind::MemoryError, "heap-use-after-free", std::nullopt};
  return finding;
}

using Places = std::vector<size_t>;

TEST(SameBug, ReadersOfOneWriteAreOne) {
  EXPECT_EQ(representatives({race({site("write", 5, "hits"), site("read", 9, "hits")}),
                             race({site("write", 7, "size"), site("read", 9, "size")}),
                             race({site("write", 5, "hits"), site("read", 12, "hits")})}),
            (Places{0, 1, 0}));
}

TEST(SameBug, OneReaderOfTwoWritesIsTwo) {
  EXPECT_EQ(representatives({race({site("write", 5, "hits"), site("read", 9, "hits")}),
                             race({site("write", 6, "hits"), site("read", 9, "hits")})}),
            (Places{0, 1}));
}

TEST(SameBug, ALineThatWritesDifferentObjectsIsNotOneBug) {
  EXPECT_EQ(representatives({race({site("write", 5, "a.hits"), site("read", 9, "a.hits")}),
                             race({site("write", 5, "b.hits"), site("read", 12, "b.hits")})}),
            (Places{0, 1}));
}

TEST(SameBug, TheHarmfulOneStandsForTheOthers) {
  Finding harmless = race({site("write", 5, "hits"), site("read", 9, "hits")});
  Finding harmful = failing(race({site("write", 5, "hits"), site("read", 12, "hits")}),
                            FindingKind::Assertion, "hits == 2");
  EXPECT_EQ(representatives({harmless, harmful}), (Places{1, 1}));
}

TEST(SameBug, DifferentFailuresStayApart) {
  std::vector<FindingSite> one = {site("write", 5, "hits"), site("read", 9, "hits")};
  std::vector<FindingSite> two = {site("write", 5, "hits"), site("read", 12, "hits")};
  Finding first = failing(race(one), FindingKind::Assertion, "hits == 2");
  Finding second = failing(race(two), FindingKind::Assertion, "hits < 9");
  EXPECT_EQ(representatives({first, second}), (Places{0, 1}));
  // Nor do they become one through a race that belongs to both.
  Finding between = race({site("write", 5, "hits"), site("read", 20, "hits")});
  Places places = representatives({first, between, second});
  EXPECT_NE(places[0], places[2]);
}

TEST(SameBug, AUseAfterFreeAndItsRaceAreOne) {
  Finding freed = race({site("free", 22, "Config::a"), site("read", 30, "Config::a")});
  EXPECT_EQ(representatives({freed, useAfterFree(30, 22)}), (Places{1, 1}));
  EXPECT_TRUE(isFreedInRace(useAfterFree(30, 22), freed));
  EXPECT_FALSE(isFreedInRace(useAfterFree(31, 22), freed));
}

TEST(SameBug, ARaceElsewhereIsAnotherBug) {
  Finding other = race({site("write", 50, "log"), site("read", 51, "log")});
  EXPECT_EQ(representatives({other, useAfterFree(30, 22)}), (Places{0, 1}));
}

TEST(SameBug, PotentialRacesStayAsTheyAre) {
  Finding potential = race({site("write", 5, "hits"), site("read", 9, "hits")});
  potential.status = FindingStatus::Potential;
  EXPECT_EQ(
      representatives({potential, race({site("write", 5, "hits"), site("read", 12, "hits")})}),
      (Places{0, 1}));
}

TEST(SameBug, TestsOfOneProgramAreApart) {
  Finding one = race({site("write", 5, "hits"), site("read", 9, "hits")});
  Finding two = one;
  one.test = "Cache.Fills";
  two.test = "Cache.Empties";
  EXPECT_EQ(representatives({one, two}), (Places{0, 1}));
}

} // namespace
} // namespace heddle
