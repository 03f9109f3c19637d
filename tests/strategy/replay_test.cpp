#include "toy_program.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

ThreadPath path(uint32_t thread) {
  return thread == 0 ? ThreadPath::Main : childPath(ThreadPath::Main, thread);
}

Decision decision(uint32_t thread, size_t at, uint32_t occurrence, uint32_t chosen,
                  DecisionKind kind = DecisionKind::Switch) {
  return {path(thread), toySite(thread, at), path(chosen), occurrence, kind};
}

ToyProgram threeByTwo() {
  std::vector<Step> two(2, step(1));
  return ToyProgram({two, two, two});
}

TEST(Replay, WithoutDecisionsIsTheDefault) {
  ToyProgram program = threeByTwo();
  Made made(StrategyKind::Replay);
  EXPECT_EQ(program.run(*made, 1), (std::vector<uint32_t>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(made->divergence(), nullptr);
}

TEST(Replay, FollowsItsDecisionsInEveryRun) {
  ToyProgram program = threeByTwo();
  // T0 is preempted before its second step, T2 before its second.
  Made made(StrategyKind::Replay, 0, 0, {decision(0, 1, 1, 2), decision(2, 1, 1, 1)});
  for (uint64_t seed = 0; seed < 3; ++seed) {
    EXPECT_EQ(program.run(*made, seed), (std::vector<uint32_t>{0, 2, 1, 1, 2, 0}));
    EXPECT_EQ(made->divergence(), nullptr);
  }
}

TEST(Replay, CountsOccurrences) {
  int left = 3;
  auto again = spinUntil([&] { return --left <= 0; });
  ToyProgram program({{again}, {step(1), step(1), step(1), step(1)}, {step(1)}});
  // At T0's second visit of its spin T2 runs instead of T1.
  Made made(StrategyKind::Replay, 0, 0, {decision(0, 0, 2, 2)});
  std::vector<uint32_t> order = program.run(*made, 1);
  EXPECT_EQ(made->divergence(), nullptr);
  EXPECT_EQ(order[1], 2u);
}

TEST(Replay, SaysWhichDecisionNeverCame) {
  ToyProgram program = threeByTwo();
  Made made(StrategyKind::Replay, 0, 0, {decision(0, 1, 1, 2), decision(2, 1, 4, 1)});
  program.run(*made, 1);
  EXPECT_STREQ(made->divergence(),
               "decision 2 of 2: thread T2 at site bb9 occurrence 4 never came");
}

TEST(Replay, SaysWhenTheChosenThreadCouldNotRun) {
  bool open = false;
  ToyProgram program({{step(1), step(1)}, {blockUntil([&] { return open; })}, {step(1)}});
  Made made(StrategyKind::Replay, 0, 0, {decision(0, 1, 1, 1)});
  program.run(*made, 1);
  EXPECT_STREQ(made->divergence(), "decision 1 of 1: thread T0 at site 3e9 occurrence 1 came, but "
                                   "thread T1 could not run");
}

TEST(Replay, NamesUnknownThreadsByTheirPath) {
  ToyProgram program({{step(1), step(1)}, {step(1)}});
  Made made(StrategyKind::Replay, 0, 0,
            {{static_cast<ThreadPath>(0xabc), toySite(0, 0), path(1), 1, DecisionKind::Switch}});
  program.run(*made, 1);
  EXPECT_STREQ(made->divergence(),
               "decision 1 of 1: thread with path abc at site 3e8 occurrence 1 never came");
}

class ReplayChoices : public ::testing::Test {
protected:
  ReplayChoices() {
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

TEST_F(ReplayChoices, WakesTheWaiterOfTheDecision) {
  Made made(StrategyKind::Replay, 0, 0, {decision(0, 5, 2, 2, DecisionKind::Wake)});
  made->beginRun(0);
  EXPECT_EQ(made->chooseWaiter(at(0, 5, 1), pointers_ + 1, 2), 0u);
  EXPECT_EQ(made->chooseWaiter(at(0, 5, 2), pointers_ + 1, 2), 1u);
  EXPECT_EQ(made->divergence(), nullptr);
}

TEST_F(ReplayChoices, SaysWhenTheWaiterIsMissing) {
  Made made(StrategyKind::Replay, 0, 0, {decision(0, 5, 1, 2, DecisionKind::Wake)});
  made->beginRun(0);
  made->chooseWaiter(at(0, 5, 1), pointers_ + 1, 1);
  ASSERT_NE(made->divergence(), nullptr);
  EXPECT_NE(std::string(made->divergence()).find("was not waiting"), std::string::npos);
}

TEST_F(ReplayChoices, ExpiresExactlyTheWaitsOfTheSchedule) {
  Made made(
      StrategyKind::Replay, 0, 0,
      {decision(0, 5, 1, 2, DecisionKind::Timeout), decision(0, 6, 1, 1, DecisionKind::Spurious)});
  made->beginRun(0);
  EXPECT_FALSE(made->chooseEarly(at(0, 5, 1), DecisionKind::Spurious, views_[2]));
  EXPECT_FALSE(made->chooseEarly(at(0, 5, 1), DecisionKind::Timeout, views_[1]));
  EXPECT_TRUE(made->chooseEarly(at(0, 5, 1), DecisionKind::Timeout, views_[2]));
  EXPECT_FALSE(made->chooseEarly(at(0, 5, 1), DecisionKind::Timeout, views_[2]));
  EXPECT_TRUE(made->chooseEarly(at(0, 6, 1), DecisionKind::Spurious, views_[1]));
  EXPECT_EQ(made->divergence(), nullptr);
}

} // namespace
} // namespace heddle::test
