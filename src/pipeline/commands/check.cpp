#include "pipeline/commands/check.h"

#include "pipeline/commands/search.h"
#include "pipeline/stages/first_run.h"
#include "pipeline/stages/force.h"
#include "pipeline/stages/patterns.h"
#include "pipeline/stages/probe.h"
#include "pipeline/stages/record.h"
#include "pipeline/stages/sample.h"
#include "pipeline/stages/static_pairs.h"

namespace heddle {
namespace {

/// What stages get of what is left when their turn comes; the rest is for those after them.
constexpr Share kRecordShare{.time = 0.4, .timeOfLong = 0.4, .runs = 0.25};
constexpr Share kForceShare{
    .time = 0.5, .timeOfLong = 0.35, .runs = 0.5, .forRuns = 0.6, .inOpening = true};
constexpr Share kOpeningOnly{.inOpening = true};
constexpr Share kPatternShare{.time = 0.3, .timeOfLong = 0.3, .runs = 0.3};
/// Of a command that does nothing else.
constexpr Share kOnlyForce{.forRuns = 0.6};

const std::set<std::string> kNoCauses;

template <typename T>
T& add(std::vector<ListedStage>& list, std::unique_ptr<T> stage, Share share) {
  T& added = *stage;
  list.push_back({std::move(stage), share});
  return added;
}

std::unique_ptr<Sample> sampling(SearchState& search, std::vector<StrategyKind> strategies) {
  return std::make_unique<Sample>(search, std::move(strategies));
}

} // namespace

Result<CommandResult> check(CommandContext& context) {
  std::vector<StrategyKind> mix = {StrategyKind::Surw, StrategyKind::Pct, StrategyKind::Pos,
                                   StrategyKind::Random, StrategyKind::Pct};
  if (auto chosen = parseStrategy(context.options().strategy))
    mix = {*chosen};
  context.budget.limitTime();
  context.budget.limitRuns();
  SearchState search(context, "check", /*samples=*/true);
  std::vector<ListedStage> list;
  add(list, std::make_unique<FirstRun>(search), {});
  if (search.learns()) {
    add(list, std::make_unique<Record>(search), kRecordShare);
    auto& pairs = add(list, std::make_unique<StaticPairs>(search), {});
    auto& force = add(list, std::make_unique<Force>(search, pairs), kForceShare);
    add(list, std::make_unique<Probe>(search), kOpeningOnly);
    add(list, std::make_unique<Patterns>(search, force.cases().explained()), kPatternShare);
  }
  // Where nothing is learned there is nobody to share an opening with.
  Sample& sample = add(list, sampling(search, mix), {.inOpening = search.learns()});
  sample.exploreInWindows();
  sample.delayThreads();
  return execute(search, std::move(list));
}

Result<CommandResult> races(CommandContext& context) {
  context.budget.limitTime();
  context.budget.limitRuns();
  SearchState search(context, "races", /*samples=*/false);
  std::vector<ListedStage> list;
  add(list, std::make_unique<FirstRun>(search), {});
  add(list, std::make_unique<Record>(search), kRecordShare);
  auto& pairs = add(list, std::make_unique<StaticPairs>(search), {});
  add(list, std::make_unique<Force>(search, pairs), kOnlyForce);
  return execute(search, std::move(list));
}

Result<CommandResult> atomicity(CommandContext& context) {
  context.budget.limitTime();
  context.budget.limitRuns();
  SearchState search(context, "atomicity", /*samples=*/false);
  std::vector<ListedStage> list;
  add(list, std::make_unique<FirstRun>(search), {});
  add(list, std::make_unique<Record>(search), kRecordShare);
  add(list, std::make_unique<Patterns>(search, kNoCauses), {});
  return execute(search, std::move(list));
}

Result<CommandResult> run(CommandContext& context) {
  StrategyKind strategy = parseStrategy(context.options().strategy).value_or(StrategyKind::Random);
  context.budget.limitTime();
  SearchState search(context, "run", /*samples=*/true);
  std::vector<ListedStage> list;
  add(list, std::make_unique<FirstRun>(search), {});
  if (search.learns())
    add(list, std::make_unique<Record>(search), kRecordShare);
  add(list, sampling(search, {strategy}), {});
  return execute(search, std::move(list));
}

} // namespace heddle
