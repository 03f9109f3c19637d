#include "toy_program.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

namespace heddle::test {
namespace {

const std::vector<StrategyKind> kAll = {
    StrategyKind::NonPreemptive, StrategyKind::Random,     StrategyKind::Pct, StrategyKind::Pos,
    StrategyKind::RoundRobin,    StrategyKind::RunToBlock, StrategyKind::Surw};

std::vector<Step> repeat(size_t count, uint64_t address) {
  return std::vector<Step>(count, step(address));
}

/// `seen` of `tries` is within five standard deviations of probability p.
void expectShare(uint64_t seen, uint64_t tries, double p) {
  double deviation = std::sqrt(static_cast<double>(tries) * p * (1 - p));
  EXPECT_NEAR(static_cast<double>(seen), static_cast<double>(tries) * p, 5 * deviation);
}

TEST(EnabledSet, NthContainsAndAfterAgreeWithASimpleSearch) {
  Random random;
  random.seed(1);
  for (int round = 0; round < 2000; ++round) {
    std::array<uint64_t, 3> words{};
    std::vector<uint32_t> members;
    uint64_t density = 1 + random.below(64);
    for (uint32_t i = 0; i < 192; ++i) {
      if (random.below(64) >= density)
        continue;
      words[i / 64] |= 1ull << (i % 64);
      members.push_back(i);
    }
    if (members.empty())
      continue;
    EnabledSet set(words.data(), 3, static_cast<uint32_t>(members.size()), nullptr);
    for (uint32_t n = 0; n < members.size(); ++n)
      ASSERT_EQ(raw(set.nth(n)), members[n]);
    for (uint32_t i = 0; i < 200; ++i) {
      auto next = std::upper_bound(members.begin(), members.end(), i);
      ASSERT_EQ(raw(set.after(static_cast<ThreadIndex>(i))),
                next == members.end() ? members.front() : *next);
    }
  }
}

TEST(Random, EqualSeedsGiveEqualStreamsAndBelowIsUniform) {
  Random a, b, c;
  a.seed(7), b.seed(7), c.seed(8);
  std::array<uint64_t, 10> seen{};
  bool differs = false;
  for (int i = 0; i < 100000; ++i) {
    uint64_t value = a.next();
    ASSERT_EQ(value, b.next());
    differs |= value != c.next();
    ++seen[c.below(10)];
  }
  EXPECT_TRUE(differs);
  for (uint64_t count : seen)
    expectShare(count, 100000, 0.1);
}

TEST(Strategies, EqualSeedsGiveEqualOrders) {
  ToyProgram program({repeat(5, 1), repeat(5, 1), repeat(5, 2), repeat(5, 1)});
  for (StrategyKind kind : kAll) {
    Made first(kind, 3, 20), second(kind, 3, 20);
    for (uint64_t seed = 0; seed < 50; ++seed)
      ASSERT_EQ(program.run(*first, seed), program.run(*second, seed));
  }
}

TEST(Strategies, OnlyRandomOnesDependOnTheSeed) {
  ToyProgram program({repeat(5, 1), repeat(5, 1), repeat(5, 1)});
  for (StrategyKind kind : kAll) {
    Made made(kind, 3, 15);
    std::map<std::vector<uint32_t>, int> orders;
    for (uint64_t seed = 0; seed < 50; ++seed)
      ++orders[program.run(*made, seed)];
    EXPECT_EQ(orders.size() == 1, kind == StrategyKind::NonPreemptive);
    if (kind == StrategyKind::RoundRobin)
      EXPECT_EQ(orders.size(), 2u);
  }
}

TEST(Strategies, SpinningThreadsLetOthersFinish) {
  // T0 and T1 spin on what T2 does last; T2 has to get through all of its steps.
  bool flag = false;
  auto set = step(1, [&] { flag = true; });
  auto worker = repeat(50, 3);
  worker.push_back(set);
  auto spin = spinUntil([&] { return flag; });
  ToyProgram program({{spin, step(2)}, {spin, step(2)}, worker});
  for (StrategyKind kind : kAll) {
    Made made(kind, 5, 100);
    for (uint64_t seed = 0; seed < 200; ++seed) {
      flag = false;
      program.run(*made, seed, 5000);
      ASSERT_TRUE(program.finished()) << "strategy " << static_cast<int>(kind) << " seed " << seed;
    }
  }
}

TEST(NonPreemptive, RunsThreadsOneAfterTheOther) {
  ToyProgram program({repeat(2, 1), repeat(2, 1), repeat(1, 1)});
  Made made(StrategyKind::NonPreemptive);
  EXPECT_EQ(program.run(*made, 1), (std::vector<uint32_t>{0, 0, 1, 1, 2}));
}

TEST(RoundRobin, SwitchesAtEveryPoint) {
  ToyProgram program({repeat(2, 1), repeat(3, 1), repeat(1, 1)});
  Made made(StrategyKind::RoundRobin);
  EXPECT_EQ(program.run(*made, 1), (std::vector<uint32_t>{1, 2, 0, 1, 0, 1}));
}

TEST(RoundRobin, LetsTheMainThreadGoFirstWithEvenSeeds) {
  ToyProgram program({repeat(2, 1), repeat(3, 1), repeat(1, 1)});
  Made made(StrategyKind::RoundRobin);
  EXPECT_EQ(program.run(*made, 2), (std::vector<uint32_t>{0, 0, 1, 2, 1, 1}));
}

TEST(RandomWalk, TakesEveryEnabledThreadEquallyOften) {
  ToyProgram program({repeat(1, 1), repeat(1, 1), repeat(1, 1)});
  Made made(StrategyKind::Random);
  std::map<std::vector<uint32_t>, uint64_t> orders;
  constexpr uint64_t kRuns = 60000;
  for (uint64_t seed = 0; seed < kRuns; ++seed)
    ++orders[program.run(*made, seed)];
  ASSERT_EQ(orders.size(), 6u);
  for (const auto& [order, count] : orders)
    expectShare(count, kRuns, 1.0 / 6);
}

TEST(RandomWalk, WakesEveryWaiterEquallyOften) {
  Made made(StrategyKind::Random);
  ThreadView views[4];
  ThreadView* waiters[] = {&views[0], &views[1], &views[2], &views[3]};
  uint64_t word = 1;
  EnabledSet enabled(&word, 1, 1, waiters);
  Choice choice{enabled, ThreadIndex::Main, true, false, ThreadIndex::Main, SiteIdentity::None, 1};
  std::array<uint64_t, 4> seen{};
  made->beginRun(3);
  for (int i = 0; i < 40000; ++i)
    ++seen[made->chooseWaiter(choice, waiters, 4)];
  for (uint64_t count : seen)
    expectShare(count, 40000, 0.25);
}

TEST(RandomWalk, EarlyWakesAreRareAndBounded) {
  ThreadView view;
  ThreadView* views[] = {&view};
  uint64_t word = 1;
  EnabledSet enabled(&word, 1, 1, views);
  Choice choice{enabled, ThreadIndex::Main, true, false, ThreadIndex::Main, SiteIdentity::None, 1};
  for (StrategyKind kind : {StrategyKind::Random, StrategyKind::Pct, StrategyKind::Pos}) {
    Made made(kind);
    uint64_t first = 0;
    for (uint64_t seed = 0; seed < 8000; ++seed) {
      made->beginRun(seed);
      first += made->chooseEarly(choice, DecisionKind::Timeout, view);
    }
    expectShare(first, 8000, 1.0 / 8);
    made->beginRun(1);
    uint64_t all = 0;
    for (int i = 0; i < 10000; ++i)
      all += made->chooseEarly(choice, DecisionKind::Spurious, view);
    EXPECT_EQ(all, 16u);
  }
}

/// Share of the seeds under which a run of the program sets `failed`.
double foundShare(Strategy& strategy, ToyProgram& program, bool& failed, uint64_t runs) {
  uint64_t found = 0;
  for (uint64_t seed = 0; seed < runs; ++seed) {
    failed = false;
    program.run(strategy, seed);
    found += failed;
  }
  return static_cast<double>(found) / static_cast<double>(runs);
}

TEST(Pct, KeepsItsGuaranteeForDepthTwo) {
  // T1 must write between the two accesses of T0: an ordering constraint of depth 2. Everything
  // else is noise that makes a random walk miss the window.
  bool inside = false, failed = false;
  std::vector<Step> victim = repeat(20, 7);
  victim.push_back(step(1, [&] { inside = true; }));
  victim.push_back(step(1, [&] { inside = false; }));
  std::vector<Step> writer = repeat(20, 8);
  writer.push_back(step(1, [&] { failed |= inside; }));
  ToyProgram program({victim, writer, repeat(20, 9), repeat(20, 9)});
  constexpr double kThreads = 4, kSteps = 83;
  Made pct(StrategyKind::Pct, 2, static_cast<uint64_t>(kSteps));
  double share = foundShare(*pct, program, failed, 20000);
  EXPECT_GE(share, 1 / (kThreads * kSteps));
}

TEST(Pct, KeepsItsGuaranteeForDepthThree) {
  // T0: a1 a2, T1: b1 b2; the bug needs a1 b1 a2 b2 with an interruption of both.
  int phase = 0;
  bool failed = false;
  auto advance = [&](int from) {
    return step(1, [&phase, &failed, from] {
      phase = phase == from ? from + 1 : -1;
      failed = phase == 4;
    });
  };
  std::vector<Step> a = repeat(3, 7), b = repeat(3, 8);
  a.push_back(advance(0)), b.push_back(advance(1));
  a.push_back(advance(2)), b.push_back(advance(3));
  ToyProgram program({a, b});
  Made pct(StrategyKind::Pct, 3, 10);
  uint64_t found = 0;
  constexpr uint64_t kRuns = 20000;
  for (uint64_t seed = 0; seed < kRuns; ++seed) {
    phase = 0, failed = false;
    program.run(*pct, seed);
    found += failed;
  }
  EXPECT_GE(static_cast<double>(found) / kRuns, 1.0 / (2 * 10 * 10));
}

TEST(Pct, LearnsTheLengthOfARunWithoutAnEstimate) {
  // Depth 2 in a run of 403 steps: change points must reach beyond the first estimate.
  bool inside = false, failed = false;
  std::vector<Step> victim = repeat(300, 7);
  victim.push_back(step(1, [&] { inside = true; }));
  victim.push_back(step(1, [&] { inside = false; }));
  ToyProgram program({victim, {step(1, [&] { failed |= inside; })}, repeat(100, 9)});
  Made pct(StrategyKind::Pct, 2);
  EXPECT_GE(foundShare(*pct, program, failed, 20000), 1.0 / (3 * 403));
}

TEST(Pct, DepthOneHasNoPreemption) {
  ToyProgram program({repeat(10, 1), repeat(10, 1), repeat(10, 1)});
  Made pct(StrategyKind::Pct, 1, 30);
  for (uint64_t seed = 0; seed < 100; ++seed) {
    std::vector<uint32_t> order = program.run(*pct, seed);
    int switches = 0;
    for (size_t i = 1; i < order.size(); ++i)
      switches += order[i] != order[i - 1];
    EXPECT_EQ(switches, 2);
  }
}

TEST(Pos, EventsThatNobodyRacesWithDoNotDelayTheOnesThatRace) {
  // T0 has ten private steps before its access to x; T1 only accesses x. Under POS the pending
  // event of T1 keeps its priority meanwhile: T0 comes first with probability 1 / 12 (CAV 2018,
  // section 4), under a random walk with 2^-11.
  std::vector<uint32_t> first;
  std::vector<Step> longer = repeat(10, 7);
  longer.push_back(step(1, [&] { first.push_back(0); }));
  ToyProgram program({longer, {step(1, [&] { first.push_back(1); })}});
  constexpr uint64_t kRuns = 24000;
  auto wins = [&](StrategyKind kind) {
    Made made(kind);
    uint64_t count = 0;
    for (uint64_t seed = 0; seed < kRuns; ++seed) {
      first.clear();
      program.run(*made, seed);
      count += first[0] == 0;
    }
    return count;
  };
  expectShare(wins(StrategyKind::Pos), kRuns, 1.0 / 12);
  expectShare(wins(StrategyKind::Random), kRuns, 1.0 / 2048);
}

TEST(Pos, RacingEventsAreDrawnAgain) {
  // Ten accesses to x against one: without new draws the one would come last with 1 / 11.
  uint64_t position = 0, done = 0;
  ToyProgram program(
      {std::vector<Step>(10, step(1, [&] { ++done; })), {step(1, [&] { position = done; })}});
  Made made(StrategyKind::Pos);
  constexpr uint64_t kRuns = 20000;
  std::array<uint64_t, 11> seen{};
  for (uint64_t seed = 0; seed < kRuns; ++seed) {
    done = 0;
    program.run(*made, seed);
    ++seen[position];
  }
  for (uint32_t i = 0; i < 5; ++i)
    expectShare(seen[i], kRuns, std::pow(0.5, i + 1));
}

} // namespace
} // namespace heddle::test
