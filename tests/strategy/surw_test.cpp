#include "strategy/surw.h"
#include "toy_program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace heddle::test {
namespace {

/// How often each order of the selected events was seen. Selected are all steps with an address.
std::map<std::vector<uint32_t>, uint64_t> orders(const std::vector<std::vector<Step>>& threads,
                                                 uint64_t runs) {
  Made surw(StrategyKind::Surw);
  std::vector<uint32_t> order;
  std::vector<std::vector<Step>> noting = threads;
  for (uint32_t t = 0; t < noting.size(); ++t)
    for (Step& step : noting[t])
      if (step.operation.address != 0)
        step.run = [&order, t] {
          order.push_back(t);
          return false;
        };
  ToyProgram program(noting);
  program.run(*surw, 0); // tells how many there are
  std::map<std::vector<uint32_t>, uint64_t> seen;
  for (uint64_t seed = 1; seed <= runs; ++seed) {
    order.clear();
    program.run(*surw, seed);
    ++seen[order];
  }
  return seen;
}

/// All of `count` orders were seen, each within five standard deviations of its equal share.
void expectUniform(const std::map<std::vector<uint32_t>, uint64_t>& seen, size_t count,
                   uint64_t runs) {
  EXPECT_EQ(seen.size(), count);
  double share = 1.0 / static_cast<double>(count);
  double mean = static_cast<double>(runs) * share;
  for (const auto& [order, times] : seen)
    EXPECT_NEAR(static_cast<double>(times), mean, 5 * std::sqrt(mean * (1 - share)));
}

std::vector<Step> repeat(size_t count, uint64_t address) {
  return std::vector<Step>(count, step(address));
}

TEST(Surw, SamplesTheOrdersOfSelectedEventsEvenly) {
  constexpr uint64_t kRuns = 20000;
  expectUniform(orders({repeat(1, 1), repeat(5, 1)}, kRuns), 6, kRuns);
  expectUniform(orders({repeat(2, 1), repeat(4, 1)}, kRuns), 15, kRuns);
  expectUniform(orders({repeat(1, 1), repeat(2, 1), repeat(3, 1)}, kRuns), 60, kRuns);
}

TEST(Surw, OtherEventsDoNotChangeThat) {
  constexpr uint64_t kRuns = 20000;
  std::vector<Step> late = repeat(40, 0); // a random walk would execute it last nearly always
  late.push_back(step(1));
  expectUniform(orders({late, repeat(5, 1)}, kRuns), 6, kRuns);
}

TEST(Surw, CountsWhatChildrenWillExecuteForTheirParent) {
  Surw surw;
  Plan plan{};
  surw.beginBatch(plan);
  ThreadView parent, child, other;
  uint64_t words = 1;
  ThreadView* views[] = {&parent, &other, &child};
  EnabledSet nobody(&words, 1, 1, views);
  auto begin = [&](uint64_t seed) {
    parent = other = child = ThreadView();
    parent.index = ThreadIndex::Main, parent.path = ThreadPath::Main;
    other.index = static_cast<ThreadIndex>(1), other.path = childPath(ThreadPath::Main, 1);
    child.index = static_cast<ThreadIndex>(2), child.path = childPath(ThreadPath::Main, 2);
    surw.beginRun(seed);
    surw.threadCreated(parent);
    surw.executed(parent, nobody);
    surw.threadCreated(other);
    surw.executed(parent, nobody);
    other.pending.address = 1;
  };
  begin(0); // the parent executes nothing, `other` one, the child nine events
  surw.threadCreated(child);
  surw.executed(other, nobody);
  child.pending.address = 1;
  for (int i = 0; i < 9; ++i)
    surw.executed(child, nobody);
  surw.endRun(20);
  // Before the child exists its nine events are the parent's, which must therefore come before
  // `other` in nine of ten runs.
  uint64_t parentFirst = 0;
  constexpr uint64_t kRuns = 10000;
  words = 3;
  EnabledSet both(&words, 1, 2, views);
  for (uint64_t seed = 1; seed <= kRuns; ++seed) {
    begin(seed);
    parent.pending.address = 1; // so that only the intended one may run
    ThreadIndex chosen = surw.choose(
        {both, ThreadIndex::Main, true, false, ThreadIndex::Main, SiteIdentity::None, 1});
    parentFirst += chosen == ThreadIndex::Main;
  }
  EXPECT_NEAR(static_cast<double>(parentFirst), 0.9 * kRuns, 5 * std::sqrt(0.09 * kRuns));
}

} // namespace
} // namespace heddle::test
