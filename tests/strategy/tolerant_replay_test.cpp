#include "toy_program.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::test {
namespace {

ThreadPath path(uint32_t thread) {
  return thread == 0 ? ThreadPath::Main : childPath(ThreadPath::Main, thread);
}

Decision decision(uint32_t thread, size_t at, uint32_t occurrence, uint32_t chosen,
                  DecisionKind kind = DecisionKind::Switch) {
  return {path(thread), toySite(thread, at), path(chosen), occurrence, kind};
}

/// With the decisions in the order in which the strategy wants them.
Made tolerant(std::vector<Decision> decisions) {
  std::sort(decisions.begin(), decisions.end(), isFiledBefore);
  return Made(StrategyKind::Replay, 0, 0, decisions, kPlanTolerant);
}

ToyProgram threeByTwo() {
  std::vector<Step> two(2, step(1));
  return ToyProgram({two, two, two});
}

TEST(TolerantReplay, FollowsAWholeSchedule) {
  std::vector<Decision> decisions = {decision(0, 1, 1, 2), decision(2, 1, 1, 1)};
  ToyProgram program = threeByTwo();
  Made strict(StrategyKind::Replay, 0, 0, decisions);
  Made made = tolerant(decisions);
  for (uint64_t seed = 0; seed < 3; ++seed)
    EXPECT_EQ(program.run(*made, seed), program.run(*strict, seed));
  EXPECT_EQ(program.run(*made, 1), (std::vector<uint32_t>{0, 2, 1, 1, 2, 0}));
}

TEST(TolerantReplay, PassesOverWhatDoesNotComeUp) {
  ToyProgram program = threeByTwo();
  // The first two never come: an occurrence and a thread that there are not.
  Made made = tolerant({decision(0, 0, 7, 1), decision(5, 0, 1, 1), decision(0, 1, 1, 2)});
  EXPECT_EQ(program.run(*made, 1), (std::vector<uint32_t>{0, 2, 2, 0, 1, 1}));
  EXPECT_EQ(made->divergence(), nullptr);
}

TEST(TolerantReplay, PassesOverThreadsThatCanNotRun) {
  ToyProgram program({{step(1), step(1)}, {blockUntil([] { return false; })}, {step(1), step(1)}});
  Made made = tolerant({decision(0, 1, 1, 1), decision(2, 1, 1, 0)});
  EXPECT_EQ(program.run(*made, 1), (std::vector<uint32_t>{0, 0, 2, 2}));
  EXPECT_EQ(made->divergence(), nullptr);
}

TEST(TolerantReplay, TakesDecisionsInTheOrderInWhichTheirPlacesCome) {
  ToyProgram program = threeByTwo();
  // Listed the other way round than they happen, which a strict replay could not follow.
  std::vector<Decision> decisions = {decision(2, 1, 1, 1), decision(0, 1, 1, 2)};
  Made strict(StrategyKind::Replay, 0, 0, decisions);
  program.run(*strict, 1);
  EXPECT_NE(strict->divergence(), nullptr);
  EXPECT_EQ(program.run(*tolerant(decisions), 1), (std::vector<uint32_t>{0, 2, 1, 1, 2, 0}));
}

TEST(TolerantReplay, PutsASwitchOffToWhereTheThreadStops) {
  ToyProgram program = threeByTwo();
  Made made = tolerant({decision(0, 1, 1, 2, DecisionKind::Defer)});
  // The default is T1 behind T0.
  for (uint64_t seed = 0; seed < 2; ++seed)
    EXPECT_EQ(program.run(*made, seed), (std::vector<uint32_t>{0, 0, 2, 2, 1, 1}));
}

TEST(TolerantReplay, TheLastSwitchThatWasPutOffCounts) {
  ToyProgram program({{step(1), step(1), step(1)}, {step(1)}, {step(1)}, {step(1)}});
  Made made = tolerant(
      {decision(0, 1, 1, 2, DecisionKind::Defer), decision(0, 2, 1, 3, DecisionKind::Defer)});
  EXPECT_EQ(program.run(*made, 1), (std::vector<uint32_t>{0, 0, 0, 3, 1, 2}));
}

class TolerantChoices : public ::testing::Test {
protected:
  TolerantChoices() {
    for (uint32_t i = 0; i < 3; ++i) {
      views_[i].index = static_cast<ThreadIndex>(i);
      views_[i].path = path(i);
      pointers_[i] = &views_[i];
    }
  }
  Choice at(uint32_t thread, size_t step, uint32_t occurrence) {
    auto index = static_cast<ThreadIndex>(thread);
    return {enabled_, index, true, false, index, toySite(thread, step), occurrence};
  }

  ThreadView views_[3];
  ThreadView* pointers_[3];
  uint64_t word_ = 7;
  EnabledSet enabled_{&word_, 1, 3, pointers_};
};

TEST_F(TolerantChoices, WakesTheWaiterOfTheDecisionOrElseTheFirst) {
  Made made = tolerant({decision(0, 5, 2, 2, DecisionKind::Wake)});
  made->beginRun(0);
  EXPECT_EQ(made->chooseWaiter(at(0, 5, 1), pointers_ + 1, 2), 0u);
  EXPECT_EQ(made->chooseWaiter(at(0, 5, 2), pointers_ + 1, 2), 1u);
  EXPECT_EQ(made->chooseWaiter(at(0, 5, 2), pointers_ + 1, 1), 0u) << "T2 does not wait";
}

TEST_F(TolerantChoices, WakesEarlyAsOftenAsListed) {
  Decision timer = decision(0, 5, 1, 0, DecisionKind::Timeout);
  timer.chosen = ThreadPath::None; // a timer of the program
  Made made = tolerant({timer, timer, decision(0, 6, 1, 2, DecisionKind::Spurious)});
  ThreadView nobody;
  for (int run = 0; run < 2; ++run) {
    made->beginRun(0);
    EXPECT_TRUE(made->chooseEarly(at(0, 5, 1), DecisionKind::Timeout, nobody));
    EXPECT_TRUE(made->chooseEarly(at(0, 5, 1), DecisionKind::Timeout, nobody));
    EXPECT_FALSE(made->chooseEarly(at(0, 5, 1), DecisionKind::Timeout, nobody));
    EXPECT_FALSE(made->chooseEarly(at(0, 6, 1), DecisionKind::Spurious, views_[1]));
    EXPECT_TRUE(made->chooseEarly(at(0, 6, 1), DecisionKind::Spurious, views_[2]));
    EXPECT_FALSE(made->chooseEarly(at(0, 6, 1), DecisionKind::Timeout, views_[2]));
  }
}

} // namespace
} // namespace heddle::test
