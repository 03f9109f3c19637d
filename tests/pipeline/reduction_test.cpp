#include "pipeline/judging/reduction.h"

#include "toy_program.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle {
namespace {

using test::Made;
using test::step;
using test::Step;
using test::ToyProgram;

/// Logs what another strategy decides, as the runtime does.
class Recorder final : public Strategy {
public:
  explicit Recorder(Strategy& inner) : inner_(inner) {}

  void beginRun(uint64_t seed) override { inner_.beginRun(seed); }
  ThreadIndex choose(const Choice& choice) override {
    ThreadIndex chosen = inner_.choose(choice);
    run.cost.preemptions += choice.currentEnabled && chosen != choice.current;
    if (chosen != choice.fallback)
      run.decisions.push_back({choice.enabled.view(choice.current).path, choice.site,
                               choice.enabled.view(chosen).path, choice.occurrence,
                               DecisionKind::Switch});
    return chosen;
  }

  ReducedRun run;

private:
  Strategy& inner_;
};

/// Trials of a toy program: it happens when the condition holds at the end of a run.
class ToyTrials final : public Trials {
public:
  ToyTrials(ToyProgram& program, std::function<void()> reset, std::function<bool()> happened)
      : program_(program), reset_(std::move(reset)), happened_(std::move(happened)) {}

  std::optional<ReducedRun> run(const std::vector<Decision>& decisions) override {
    std::vector<Decision> sorted = decisions;
    std::sort(sorted.begin(), sorted.end(), isFiledBefore);
    Made made(StrategyKind::Replay, 0, 0, sorted, kPlanTolerant);
    return record(*made, 0);
  }
  bool spent() const override { return runs_ >= most; }

  /// The first run under the strategy in which it happens.
  std::optional<ReducedRun> find(StrategyKind strategy) {
    Made made(strategy, 3);
    for (uint64_t seed = 1; seed < 10000; ++seed)
      if (auto run = record(*made, seed))
        return run;
    return std::nullopt;
  }

  uint64_t runs() const { return runs_; }
  uint64_t most = UINT64_MAX;

private:
  std::optional<ReducedRun> record(Strategy& strategy, uint64_t seed) {
    ++runs_;
    reset_();
    Recorder recorder(strategy);
    std::vector<uint32_t> order = program_.run(recorder, seed);
    recorder.run.cost.decisions = recorder.run.decisions.size();
    for (size_t i = 1; i < order.size(); ++i)
      recorder.run.cost.switches += order[i] != order[i - 1];
    return happened_() ? std::optional(recorder.run) : std::nullopt;
  }

  ToyProgram& program_;
  std::function<void()> reset_;
  std::function<bool()> happened_;
  uint64_t runs_ = 0;
};

/// Threads that each add one to a counter in two steps, between others that do not matter.
struct LostUpdate {
  explicit LostUpdate(size_t threads, size_t idleSteps) : read(threads) {
    std::vector<std::vector<Step>> program;
    for (size_t i = 0; i < threads; ++i) {
      std::vector<Step> steps(idleSteps, step(100 + i));
      steps.push_back(step(1, [this, i] { read[i] = counter; }));
      steps.push_back(step(1, [this, i] { counter = read[i] + 1; }));
      steps.insert(steps.end(), idleSteps, step(100 + i));
      program.push_back(steps);
    }
    toy.emplace(program);
  }
  ToyTrials trials(int below) {
    return {*toy, [this] { counter = 0; }, [this, below] { return counter < below; }};
  }

  int counter = 0;
  std::vector<int> read;
  std::optional<ToyProgram> toy;
};

TEST(Reduction, OfALostUpdateIsOnePreemption) {
  LostUpdate program(3, 10);
  ToyTrials trials = program.trials(3);
  auto found = trials.find(StrategyKind::Random);
  ASSERT_TRUE(found);
  ASSERT_GT(found->cost.preemptions, 10u);
  auto reduced = Reduction(trials).reduce(found->decisions);
  ASSERT_TRUE(reduced);
  EXPECT_EQ(reduced->cost.preemptions, 1u);
  EXPECT_LE(reduced->cost.switches, 4u);
  // What it gives is a schedule to the letter.
  auto again = trials.run(reduced->decisions);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->cost, reduced->cost);
}

TEST(Reduction, KeepsWhatTheFailureNeeds) {
  // Two of three updates are lost: no schedule with one preemption does that.
  LostUpdate program(3, 4);
  ToyTrials trials = program.trials(2);
  auto found = trials.find(StrategyKind::Random);
  ASSERT_TRUE(found);
  auto reduced = Reduction(trials).reduce(found->decisions);
  ASSERT_TRUE(reduced);
  EXPECT_EQ(reduced->cost.preemptions, 2u);
}

TEST(Reduction, PutsPreemptionsOffToWhereAThreadEnds) {
  // It needs T2 before T1, and nobody to be interrupted.
  bool first = false, second = false, wrong = false;
  ToyProgram program({{step(5), step(5), step(5)},
                      {step(1, [&] { first = true, wrong |= second; })},
                      {step(2, [&] { second = true; })}});
  ToyTrials trials(program, [&] { first = second = wrong = false; }, [&] { return wrong; });
  auto found = trials.find(StrategyKind::Random);
  ASSERT_TRUE(found);
  ASSERT_GT(found->cost.preemptions, 0u);
  auto reduced = Reduction(trials).reduce(found->decisions);
  ASSERT_TRUE(reduced);
  EXPECT_EQ(reduced->cost.preemptions, 0u);
  EXPECT_EQ(reduced->cost.decisions, 1u);
}

TEST(Reduction, IsEmptyWhenTheScheduleDoesNotShowIt) {
  LostUpdate program(2, 1);
  ToyTrials trials = program.trials(2);
  EXPECT_FALSE(Reduction(trials).reduce({}));
  EXPECT_EQ(trials.runs(), 1u);
}

TEST(Reduction, GivesTheSameForTheSame) {
  LostUpdate program(4, 6);
  ToyTrials trials = program.trials(4);
  auto found = trials.find(StrategyKind::Random);
  ASSERT_TRUE(found);
  uint64_t before = trials.runs();
  auto one = Reduction(trials).reduce(found->decisions);
  uint64_t needed = trials.runs() - before;
  auto other = Reduction(trials).reduce(found->decisions);
  ASSERT_TRUE(one && other);
  EXPECT_EQ(trials.runs() - before, 2 * needed);
  EXPECT_EQ(one->cost, other->cost);
  ASSERT_EQ(one->decisions.size(), other->decisions.size());
  for (size_t i = 0; i < one->decisions.size(); ++i)
    EXPECT_FALSE(isFiledBefore(one->decisions[i], other->decisions[i]) ||
                 isFiledBefore(other->decisions[i], one->decisions[i]));
}

TEST(Reduction, EndsWithItsBudgetAndKeepsWhatItHas) {
  LostUpdate program(3, 50);
  ToyTrials trials = program.trials(3);
  auto found = trials.find(StrategyKind::Random);
  ASSERT_TRUE(found);
  trials.most = trials.runs() + 4;
  auto reduced = Reduction(trials).reduce(found->decisions);
  ASSERT_TRUE(reduced);
  EXPECT_EQ(trials.runs(), trials.most);
  EXPECT_LE(reduced->cost, found->cost);
  trials.most = UINT64_MAX;
  EXPECT_TRUE(trials.run(reduced->decisions));
}

} // namespace
} // namespace heddle
