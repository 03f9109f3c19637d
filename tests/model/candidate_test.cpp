#include "model/candidate.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

CandidateSide side(uint64_t site, uint64_t caller = 0) {
  return {static_cast<SiteIdentity>(site), static_cast<SiteIdentity>(caller)};
}

Candidate race(CandidateSide one, CandidateSide other, uint64_t count = 1, bool unordered = true) {
  return {TargetKind::Race, {one, other}, "test", count, unordered};
}

TEST(Candidates, AreKnownByKindAndSidesInAnyOrder) {
  CandidateSet set;
  EXPECT_TRUE(set.add(race(side(1), side(2))));
  EXPECT_FALSE(set.add(race(side(2), side(1))));
  EXPECT_TRUE(set.add(race(side(1, 7), side(2))));
  EXPECT_TRUE(set.add({TargetKind::LockCycle, {side(1), side(2)}, "test", 1, true}));
  EXPECT_EQ(set.size(), 3u);
}

TEST(Candidates, MergeTheirEvidence) {
  CandidateSet set;
  set.add(race(side(1), side(2), 3, false));
  set.add(race(side(2), side(1), 4, true));
  ASSERT_EQ(set.ranked().size(), 1u);
  EXPECT_EQ(set.ranked()[0].count, 7u);
  EXPECT_TRUE(set.ranked()[0].unordered);
}

MissingOrder missing(uint64_t store, uint64_t load, bool update = false) {
  return {{side(store), MemoryOrder::Relaxed, update, true},
          {side(load), MemoryOrder::Relaxed, update, true}};
}

Candidate ordered(std::vector<MissingOrder> orders) {
  Candidate candidate = race(side(1), side(2), 1, false);
  candidate.missingOrders = std::move(orders);
  return candidate;
}

TEST(Candidates, KeepTheMissingOrdersThatAllRunsShow) {
  CandidateSet set;
  set.add(ordered({missing(3, 4), missing(5, 6)}));
  set.add(ordered({missing(5, 6), missing(7, 8)}));
  set.add(ordered({}));
  Candidate merged = set.ranked()[0];
  EXPECT_EQ(merged.missingOrders, std::vector{missing(5, 6)});
  ASSERT_TRUE(merged.missingOrder());
  EXPECT_EQ(*merged.missingOrder(), missing(5, 6));
}

TEST(Candidates, LackNoOrderWhenNothingOrderedThemOnce) {
  CandidateSet set;
  set.add(ordered({missing(3, 4)}));
  EXPECT_TRUE(set.ranked()[0].missingOrder());
  set.add(race(side(1), side(2)));
  EXPECT_FALSE(set.ranked()[0].missingOrder());
}

TEST(Candidates, NameALoadBeforeAnUpdate) {
  Candidate candidate = ordered({missing(3, 4, /*update=*/true), missing(5, 6)});
  ASSERT_TRUE(candidate.missingOrder());
  EXPECT_EQ(*candidate.missingOrder(), missing(5, 6));
}

TEST(Candidates, ComeLastWhenSomethingOrderedThem) {
  CandidateSet set;
  set.add(race(side(1), side(2), 100, false));
  set.add(race(side(3), side(4), 1, true));
  set.add(race(side(5), side(6), 9, true));
  auto ranked = set.ranked();
  EXPECT_EQ(ranked[0].sides[0], side(5));
  EXPECT_EQ(ranked[1].sides[0], side(3));
  EXPECT_EQ(ranked[2].sides[0], side(1));
}

RoleExample example(uint64_t thread) { return {static_cast<ThreadPath>(thread), 1, 1, 0}; }

TEST(Candidates, KeepTheSidesOfExamplesWithTheirSides) {
  CandidateSet set;
  Candidate candidate = race(side(2), side(1));
  candidate.examples = {{{example(20), example(10)}, 0}};
  set.add(candidate);
  auto ranked = set.ranked();
  ASSERT_EQ(ranked[0].examples.size(), 1u);
  const CandidateExample& kept = ranked[0].examples[0];
  EXPECT_EQ(raw(kept.sides[0].thread), 10u);
  EXPECT_EQ(raw(kept.sides[1].thread), 20u);
  EXPECT_EQ(kept.leader, 1u) << "the thread 20 leads";
}

TEST(Candidates, PreferExamplesThatNothingOrdered) {
  CandidateSet set;
  auto withThreads = [&](uint64_t one, uint64_t other, bool unordered) {
    Candidate candidate = race(side(1), side(2), 1, unordered);
    candidate.examples = {{{example(one), example(other)}, 0}};
    set.add(candidate);
    return set.ranked()[0].examples;
  };
  EXPECT_EQ(withThreads(1, 2, false).size(), 1u);
  auto examples = withThreads(3, 4, true);
  ASSERT_EQ(examples.size(), 1u);
  EXPECT_EQ(raw(examples[0].sides[0].thread), 3u);
  EXPECT_EQ(withThreads(5, 6, false).size(), 1u);
  EXPECT_EQ(withThreads(3, 4, true).size(), 1u) << "the same threads twice";
  EXPECT_EQ(withThreads(5, 6, true).size(), 2u);
  EXPECT_EQ(withThreads(7, 8, true).size(), kMaxExamples);
}

TEST(Targets, ARaceOfASiteWithItselfHasTwoRoles) {
  Target target = targetOf(race(side(1), side(1)));
  EXPECT_EQ(target.roleCount, 2u);
  EXPECT_EQ(target.roles[0].site, target.roles[1].site);
}

TEST(Targets, EqualPartsOfACycleAreOneRole) {
  Candidate cycle{TargetKind::LockCycle, {side(1), side(1), side(1), side(2)}, "test", 1, true};
  Target target = targetOf(cycle);
  EXPECT_EQ(target.kind, TargetKind::LockCycle);
  EXPECT_EQ(target.roleCount, 2u);
}

TEST(Targets, LongCyclesAreCutToWhatATargetHolds) {
  Candidate cycle{TargetKind::LockCycle, {}, "test", 1, true};
  for (uint64_t i = 1; i < 20; ++i)
    cycle.sides.push_back(side(i));
  EXPECT_EQ(targetOf(cycle).roleCount, kMaxRoles);
}

} // namespace
} // namespace heddle
