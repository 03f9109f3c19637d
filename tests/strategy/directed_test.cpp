#include "strategy/directed.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::test {
namespace {

/// Threads that are all enabled, at a directed strategy.
class Threads {
public:
  explicit Threads(uint32_t count, TargetKind kind = TargetKind::Race,
                   const Approach& approach = {}) {
    views_.resize(count);
    for (uint32_t i = 0; i < count; ++i) {
      views_[i].index = static_cast<ThreadIndex>(i);
      views_[i].path = static_cast<ThreadPath>(i + 1);
      pointers_.push_back(&views_[i]);
    }
    Plan plan{};
    plan.target.kind = kind;
    plan.approach = approach;
    plan.estimatedSteps = 10;
    strategy_.beginBatch(plan);
  }

  void begin(uint64_t seed) {
    for (ThreadView& view : views_)
      view.priority = 0;
    strategy_.beginRun(seed);
  }
  void arrive(uint32_t thread, RoleMask roles, uint64_t address = 0) {
    views_[thread].pending.roles = roles;
    views_[thread].pending.address = address;
    views_[thread].pending.size = 4;
    strategy_.arrived(views_[thread]);
  }
  /// `thread` arrives and meets `other`.
  void meet(uint32_t thread, RoleMask roles, uint32_t other) {
    views_[thread].pending.roles = roles;
    ThreadView* met[] = {&views_[thread], &views_[other]};
    strategy_.met(met, 2);
  }
  /// `thread` is at a plain access that plays no role.
  void passBy(uint32_t thread) {
    views_[thread].pending = {};
    views_[thread].pending.kind = EventKind::Read;
  }
  ThreadIndex choose(bool mayWait = false, bool yielded = false) {
    return chooseFrom(0, mayWait, yielded);
  }
  ThreadIndex chooseFrom(uint32_t current, bool mayWait = false, bool yielded = false) {
    uint64_t words = (uint64_t{1} << views_.size()) - 1;
    EnabledSet enabled(&words, 1, static_cast<uint32_t>(views_.size()), pointers_.data());
    return strategy_.choose({enabled, static_cast<ThreadIndex>(current), true, yielded,
                             ThreadIndex::Main, SiteIdentity::None, 1, mayWait});
  }

private:
  std::vector<ThreadView> views_;
  std::vector<ThreadView*> pointers_;
  Directed strategy_;
};

TEST(Directed, DoesNotRunAPostponedThreadWhileOthersCan) {
  Threads threads(3);
  threads.begin(1);
  threads.arrive(1, 1);
  bool others[3] = {};
  for (int i = 0; i < 100; ++i) {
    ThreadIndex chosen = threads.choose();
    ASSERT_NE(raw(chosen), 1u);
    others[raw(chosen)] = true;
  }
  EXPECT_TRUE(others[0] && others[2]);
}

TEST(Directed, LetsOneGoWhenAllArePostponed) {
  bool seen[2] = {};
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Threads threads(2);
    threads.begin(seed);
    threads.arrive(0, 1);
    threads.arrive(1, 1);
    uint32_t chosen = raw(threads.choose());
    ASSERT_LT(chosen, 2u);
    seen[chosen] = true;
  }
  EXPECT_TRUE(seen[0] && seen[1]);
}

TEST(Directed, LetsTimePassBeforeThatButNotForEver) {
  Threads threads(1);
  threads.begin(1);
  threads.arrive(0, 1);
  int waits = 0;
  while (threads.choose(/*mayWait=*/true) == ThreadIndex::None)
    ASSERT_LT(++waits, 1000);
  EXPECT_GT(waits, 0);
}

TEST(Directed, TriesBothOrdersInTwoRunsWhoeverArrivesLast) {
  Threads threads(3);
  for (bool secondRoleArrivesLast : {false, true}) {
    uint32_t leaders[2];
    for (uint64_t seed = 0; seed < 2; ++seed) {
      threads.begin(seed);
      threads.arrive(1, secondRoleArrivesLast ? 1 : 2);
      threads.meet(2, secondRoleArrivesLast ? 2 : 1, 1);
      leaders[seed] = raw(threads.choose());
    }
    uint32_t firstRole = secondRoleArrivesLast ? 1 : 2;
    EXPECT_EQ(leaders[0], firstRole); // even seeds: the first role leads
    EXPECT_EQ(leaders[1], 3 - firstRole);
  }
}

TEST(Directed, TheOtherSideFollowsAtOnceOrStaysPostponed) {
  Threads threads(3);
  threads.begin(0);
  threads.arrive(1, 1);
  threads.meet(2, 2, 1);
  EXPECT_EQ(raw(threads.choose()), 1u);
  EXPECT_EQ(raw(threads.choose()), 2u);
  threads.begin(2);
  threads.arrive(1, 1);
  threads.meet(2, 2, 1);
  EXPECT_EQ(raw(threads.choose()), 1u);
  for (int i = 0; i < 50; ++i)
    EXPECT_NE(raw(threads.choose()), 2u);
}

TEST(Directed, TheOtherSideComesRightBehindTheAccessAndNothingElseIsSwitchedThere) {
  Threads threads(3);
  threads.begin(0);
  threads.arrive(1, 1);
  threads.meet(2, 2, 1);
  EXPECT_EQ(raw(threads.choose()), 1u);
  threads.passBy(1); // the leader's next access is a scheduling point
  EXPECT_EQ(raw(threads.chooseFrom(1)), 2u);
  threads.passBy(2);
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(raw(threads.chooseFrom(2)), 2u);
}

TEST(Directed, LetsAllThreadsOfACycleGo) {
  Threads threads(4, TargetKind::LockCycle);
  threads.begin(5);
  threads.arrive(1, 1);
  threads.meet(3, 1, 1);
  uint32_t first = raw(threads.choose());
  uint32_t second = raw(threads.choose());
  EXPECT_EQ(first + second, 4u);
  EXPECT_TRUE(first == 1 || first == 3);
}

TEST(Directed, LetsAThreadGoForWhichTheOthersSpin) {
  Threads threads(2);
  threads.begin(3);
  threads.arrive(1, 1);
  for (int i = 0; i < 1000; ++i)
    if (raw(threads.choose(false, /*yielded=*/true)) == 1)
      return;
  FAIL() << "thread 0 spins for ever";
}

TEST(Directed, LetsAThreadGoThatIsPostponedForLongerThanARun) {
  Threads threads(2);
  threads.begin(3);
  threads.arrive(1, 1);
  for (int i = 0; i < 5000; ++i)
    if (raw(threads.choose()) == 1)
      return;
  FAIL() << "thread 0 runs for ever";
}

/// Thread 1 plays the first role, at its second arrival or at address 0x100, thread 2 the other.
Approach byExample(Holding holding, uint32_t leader) {
  Approach approach{};
  approach.holding = holding;
  approach.leader = leader;
  approach.exampleCount = 2;
  approach.examples[0] = {static_cast<ThreadPath>(2), 0x100, 2, 0};
  approach.examples[1] = {static_cast<ThreadPath>(3), 0x100, 1, 1};
  return approach;
}

TEST(Directed, RunsTheLeaderOfAnExampleFirstThenTheOtherThread) {
  Threads threads(4, TargetKind::Race, byExample(Holding::Moment, 0));
  threads.begin(1);
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(raw(threads.choose()), 1u);
  threads.arrive(1, 1);
  EXPECT_EQ(raw(threads.choose()), 1u) << "held at its first arrival";
  threads.arrive(1, 1);
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(raw(threads.choose()), 2u);
}

TEST(Directed, RunsTheOthersWhenTheLeaderLeadsNowhere) {
  Threads threads(4, TargetKind::Race, byExample(Holding::Moment, 0));
  threads.begin(1);
  for (int i = 0; i < 1020; ++i) // as long as its patience lasts
    ASSERT_EQ(raw(threads.choose()), 1u);
  bool seen[4] = {};
  for (int i = 0; i < 100; ++i)
    seen[raw(threads.choose())] = true;
  EXPECT_TRUE(seen[0] && seen[1] && seen[2] && seen[3]);
}

TEST(Directed, HoldsTheThreadsOfAnExampleOnly) {
  Threads threads(4, TargetKind::Race, byExample(Holding::Object, 1));
  threads.begin(1);
  threads.arrive(0, 1, 0x100); // another thread
  threads.arrive(2, 2, 0x200); // another object
  EXPECT_EQ(raw(threads.choose()), 2u);
  threads.arrive(2, 2, 0xfe); // overlaps
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(raw(threads.choose()), 1u);
  threads.arrive(1, 2, 0x100); // not its role
  EXPECT_EQ(raw(threads.choose()), 1u);
}

TEST(Directed, IsRandomAgainOnceTheExampleHasComeAbout) {
  Threads threads(4, TargetKind::Race, byExample(Holding::Object, 0));
  threads.begin(0);
  threads.arrive(1, 1, 0x100);
  threads.meet(2, 2, 1);
  threads.choose();
  threads.choose();
  bool seen[4] = {};
  for (int i = 0; i < 200; ++i)
    seen[raw(threads.choose())] = true;
  EXPECT_TRUE(seen[0] && seen[1] && seen[2] && seen[3]);
}

} // namespace
} // namespace heddle::test
