#include "strategy/prefix.h"
#include "toy_program.h"

#include <gtest/gtest.h>

#include <cstring>

namespace heddle::test {
namespace {

ThreadPath path(uint32_t thread) {
  return thread == 0 ? ThreadPath::Main : childPath(ThreadPath::Main, thread);
}

/// A batch of prefixes in memory, as the controller writes it. Threads go first in this order.
class Prefixes {
public:
  Prefixes(const std::vector<uint32_t>& threads, const std::vector<std::vector<PrefixStep>>& all) {
    PrefixHeader header{static_cast<uint32_t>(threads.size()), static_cast<uint32_t>(all.size()),
                        10};
    add(&header, sizeof header);
    for (uint32_t thread : threads) {
      ThreadPath name = path(thread);
      add(&name, sizeof name);
    }
    uint32_t offset = 0;
    for (const auto& prefix : all) {
      add(&offset, sizeof offset);
      offset += static_cast<uint32_t>(prefix.size());
    }
    add(&offset, sizeof offset);
    for (const auto& prefix : all)
      for (const PrefixStep& step : prefix)
        add(&step, sizeof step);
  }
  const PrefixHeader* header() const {
    return reinterpret_cast<const PrefixHeader*>(words_.data());
  }

private:
  void add(const void* data, size_t bytes) {
    words_.resize((used_ + bytes + 7) / 8);
    std::memcpy(reinterpret_cast<char*>(words_.data()) + used_, data, bytes);
    used_ += bytes;
  }
  std::vector<uint64_t> words_;
  size_t used_ = 0;
};

ToyProgram threeByTwo() {
  std::vector<Step> two(2, step(1));
  return ToyProgram({two, two, two});
}

using Order = std::vector<uint32_t>;

TEST(Prefix, LetsTheFirstThreadGoOnAfterThePrefix) {
  Prefixes prefixes({0, 1, 2}, {{}, {{2, 0}, {1, 0}}});
  Prefix strategy(prefixes.header());
  ToyProgram program = threeByTwo();
  EXPECT_EQ(program.run(strategy, 10), (Order{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(program.run(strategy, 11), (Order{2, 1, 0, 0, 1, 2}));
  EXPECT_EQ(strategy.divergence(), nullptr);
}

TEST(Prefix, TakesTheOrderOfThreadsFromTheBatch) {
  Prefixes prefixes({2, 0, 1}, {{}});
  Prefix strategy(prefixes.header());
  ToyProgram program = threeByTwo();
  EXPECT_EQ(program.run(strategy, 10), (Order{2, 2, 0, 0, 1, 1}));
}

TEST(Prefix, PutsThreadsThatTheBatchDoesNotKnowLast) {
  Prefixes prefixes({1}, {{}});
  Prefix strategy(prefixes.header());
  ToyProgram program = threeByTwo();
  EXPECT_EQ(program.run(strategy, 10), (Order{1, 1, 0, 0, 2, 2}));
}

TEST(Prefix, PassesWhatNobodyNoticesWithoutAStep) {
  Prefixes prefixes({0, 1}, {{{1, 0}, {0, 0}}});
  Prefix strategy(prefixes.header());
  Step clock = step(0, {}, EventKind::ClockRead);
  ToyProgram program({{clock, step(1), step(1)}, {step(1), clock, step(1)}});
  EXPECT_EQ(program.run(strategy, 10), (Order{0, 1, 1, 0, 0, 1}));
  EXPECT_EQ(strategy.divergence(), nullptr);
}

TEST(Prefix, SaysWhichStepCannotBeTaken) {
  Prefixes prefixes({0, 1}, {{{0, 0}, {1, 0}}});
  Prefix strategy(prefixes.header());
  ToyProgram program({{step(1), step(1), step(1)}, {blockUntil([] { return false; })}});
  program.run(strategy, 10);
  ASSERT_NE(strategy.divergence(), nullptr);
  EXPECT_STREQ(strategy.divergence(),
               "step 2 of the 2 that were to be executed: the thread with number 1 cannot run");
}

TEST(Prefix, TakesTheWaiterThatTheStepNames) {
  Prefixes prefixes({0, 1, 2}, {{{0, 1}}});
  Prefix strategy(prefixes.header());
  ToyProgram program = threeByTwo();
  std::vector<ThreadView> views(3);
  strategy.beginRun(10);
  for (uint32_t i = 0; i < 3; ++i) {
    views[i].index = static_cast<ThreadIndex>(i);
    views[i].path = path(i);
    views[i].pending = step(1).operation;
    strategy.threadCreated(views[i]);
  }
  ThreadView* all[] = {&views[0], &views[1], &views[2]};
  uint64_t word = 1;
  EnabledSet enabled(&word, 1, 1, all);
  Choice choice{enabled, ThreadIndex::Main, true, false, ThreadIndex::Main, SiteIdentity::None, 1};
  EXPECT_EQ(strategy.choose(choice), ThreadIndex::Main);
  ThreadView* waiters[] = {&views[2], &views[1]}; // in order of arrival
  EXPECT_EQ(strategy.chooseWaiter(choice, waiters, 2), 0u);
}

} // namespace
} // namespace heddle::test
