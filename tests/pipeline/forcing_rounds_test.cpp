#include "pipeline/forcing/forcing_rounds.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using Rules = ForcingRounds::Rules;

Candidate candidate(TargetKind kind, uint64_t first = 10) {
  Candidate made;
  made.kind = kind;
  made.sides = {{static_cast<SiteIdentity>(first), SiteIdentity::None},
                {static_cast<SiteIdentity>(first + 1), SiteIdentity::None}};
  if (kind == TargetKind::AtomicSet)
    made.pattern.number = 1;
  return made;
}

/// Results of runs that are alike.
struct Runs {
  uint64_t count;
  uint32_t orders;  ///< 0: the sides did not meet
  uint32_t reached; ///< RoleMask
  bool failed = false;
};
constexpr uint32_t kBoth = kFirstRoleFirst | kSecondRoleFirst;

CapturedRun failingRun(uint32_t meetings) {
  CapturedRun run;
  run.record.failure = FailureKind::Crash;
  run.record.message = "SIGSEGV";
  run.record.result.outcome = Outcome::Failed;
  run.record.result.meetings = meetings;
  return run;
}

void addRuns(ForcedCandidate& forced, const std::vector<Runs>& all) {
  for (const Runs& runs : all)
    for (uint64_t i = 0; i < runs.count; ++i) {
      RunResult result{};
      result.orders = runs.orders;
      result.meetings = runs.orders != 0;
      result.reached = runs.reached;
      forced.add(result, runs.failed, /*isVaried=*/false);
      if (runs.failed)
        forced.add(failingRun(result.meetings));
    }
}

struct Row {
  const char* what;
  TargetKind kind;
  std::vector<Runs> runs;
  Rules rules;
  uint64_t wanted; ///< runs after the next round; 0: it is done
};

TEST(ForcingRounds, GiveRunsToWhatMayStillShowSomething) {
  const Rules none;
  const Rules isLong{.isLong = true};
  const Rules trials{.trials = 7};
  const Rules pursued{.pursued = 0};
  const Rules seeks{.seeksFailure = true};
  const Row rows[] = {
      {"the first round is four runs", TargetKind::Race, {}, none, 4},
      {"and one where runs are long", TargetKind::Race, {}, isLong, 1},
      {"as many as were asked for", TargetKind::Race, {}, trials, 7},
      {"whatever came of them", TargetKind::Race, {{3, kBoth, 3}}, trials, 7},
      {"reached, never at the same time", TargetKind::Race, {{4, 0, 3}}, none, 12},
      {"also after fifty runs", TargetKind::Race, {{50, 0, 3}}, none, 100},
      {"but not after a hundred", TargetKind::Race, {{100, 0, 3}}, none, 100},
      {"a side that nobody reaches", TargetKind::Race, {{50, 0, 1}}, none, 0},
      {"one order was not seen", TargetKind::Race, {{12, kFirstRoleFirst, 3}}, none, 20},
      {"both were, twelve times", TargetKind::Race, {{12, kBoth, 3}}, none, 0},
      {"a suspect needs more", TargetKind::Race, {{12, kBoth, 3}}, pursued, 20},
      {"a failure in one order needs runs in the other alone",
       TargetKind::Race,
       {{6, kFirstRoleFirst, 3, true}, {14, kSecondRoleFirst, 3}},
       none,
       50},
      {"twenty of them are enough",
       TargetKind::Race,
       {{6, kFirstRoleFirst, 3, true}, {20, kSecondRoleFirst, 3}},
       none,
       0},
      {"and so are failures in both",
       TargetKind::Race,
       {{6, kFirstRoleFirst, 3, true}, {6, kSecondRoleFirst, 3, true}},
       none,
       0},
      {"every meeting of locks is the deadlock",
       TargetKind::LockCycle,
       {{1, kFirstRoleFirst, 3}},
       none,
       0},
      {"a pattern that breaks nothing", TargetKind::AtomicSet, {{12, 1, 3}}, none, 0},
      {"more often while a failure has no cause", TargetKind::AtomicSet, {{12, 1, 3}}, seeks, 20},
      {"up to fifty runs", TargetKind::AtomicSet, {{50, 1, 3}}, seeks, 0},
      {"one that leads to it is known", TargetKind::AtomicSet, {{12, 1, 3, true}}, seeks, 0},
  };
  for (const Row& row : rows) {
    ForcedCandidate forced(candidate(row.kind));
    addRuns(forced, row.runs);
    EXPECT_EQ(wantedRuns(forced, row.rules), row.wanted) << row.what;
  }
}

TEST(ForcingRounds, AreFineOnceARaceCameAboutAndVariedForPatterns) {
  ForcingRounds rounds;
  size_t race = rounds.add(candidate(TargetKind::Race, 10));
  size_t pattern = rounds.add(candidate(TargetKind::AtomicSet, 20));
  EXPECT_EQ(rounds.add(candidate(TargetKind::Race, 10)), race) << "it is known";
  Rules seeks{.seeksFailure = true};
  for (const ForcedSlice& slice : rounds.nextRound(seeks))
    EXPECT_FALSE(slice.fine || slice.varied);
  addRuns(rounds.at(race), {{4, kFirstRoleFirst, 3}});
  addRuns(rounds.at(pattern), {{4, 1, 3}});
  std::vector<ForcedSlice> slices = rounds.nextRound(seeks);
  ASSERT_EQ(slices.size(), 2u);
  EXPECT_TRUE(slices[race].fine);
  EXPECT_FALSE(slices[race].varied);
  EXPECT_EQ(slices[race].runs, 8u);
  EXPECT_FALSE(slices[pattern].fine);
  EXPECT_TRUE(slices[pattern].varied);
}

TEST(ForcingRounds, StopAtAFailureButForWhatMayBeItsCause) {
  ForcingRounds rounds;
  size_t cause = rounds.add(candidate(TargetKind::Race, 10));
  size_t other = rounds.add(candidate(TargetKind::Race, 20));
  addRuns(rounds.at(cause), {{4, kFirstRoleFirst, 3, true}});
  Rules stops{.stopAtFailure = true};
  std::vector<ForcedSlice> slices = rounds.nextRound(stops);
  ASSERT_EQ(slices.size(), 1u);
  EXPECT_EQ(slices[0].candidate, cause);
  Rules pursues{.pursued = other};
  slices = rounds.nextRound(pursues);
  ASSERT_EQ(slices.size(), 1u);
  EXPECT_EQ(slices[0].candidate, other);
}

TEST(ForcingRounds, KeepToTheRunsThatAreLeft) {
  std::vector<ForcedSlice> slices = {
      {0, 4, false, false}, {1, 4, false, false}, {2, 4, false, false}};
  limitRuns(slices, 6);
  ASSERT_EQ(slices.size(), 2u);
  EXPECT_EQ(slices[0].runs, 4u);
  EXPECT_EQ(slices[1].runs, 2u);
  limitRuns(slices, std::nullopt);
  EXPECT_EQ(slices.size(), 2u);
}

TEST(ForcingRounds, OfLongRunsBeginWithWhatIsSeldom) {
  std::vector<Candidate> candidates = {candidate(TargetKind::Race, 10),
                                       candidate(TargetKind::Race, 20),
                                       candidate(TargetKind::Race, 30)};
  auto sorted = rareFirst(candidates, {{10, 100}, {11, 50}, {20, 7}, {21, 900}});
  EXPECT_EQ(raw(sorted[0].sides[0].site), 20u);
  EXPECT_EQ(raw(sorted[1].sides[0].site), 10u);
  EXPECT_EQ(raw(sorted[2].sides[0].site), 30u) << "nobody has seen it share memory";
}

TEST(ForcedCandidate, KeepsOfEachCauseTheRunThatShowsMost) {
  ForcedCandidate forced(candidate(TargetKind::Race));
  forced.add(failingRun(0));
  ASSERT_EQ(forced.failures.size(), 1u);
  std::string cause = forced.failures.begin()->first;
  EXPECT_FALSE(forced.leadsTo(cause));
  forced.add(failingRun(1));
  forced.add(failingRun(0));
  EXPECT_TRUE(forced.leadsTo(cause));
  EXPECT_EQ(forced.failures[cause].count, 3u);
  EXPECT_EQ(forced.failures[cause].metCount, 1u);
  EXPECT_EQ(forced.failures[cause].run.record.result.meetings, 1u);
}

} // namespace
} // namespace heddle
