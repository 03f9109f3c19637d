#include "pipeline/judging/harm.h"

#include "pipeline/runs/cause.h"

#include <algorithm>
#include <cmath>

namespace heddle {
namespace {

/// A failure that has nothing to do with the race is absent under one order with at most this
/// probability.
constexpr double kMaxChance = 0.05;

bool mayBeChance(const ForcedFailure& failure, const OrderTally& fails, const OrderTally& control) {
  double share = double(failure.count) / double(std::max(fails.runs, failure.count));
  return std::pow(1 - share, double(control.runs)) > kMaxChance;
}

/// The only order in which a failure was seen, if the other one was seen often enough without.
std::optional<unsigned> orderAtFault(const ForcedCandidate& forced, const ForcedFailure& failure) {
  for (unsigned order = 0; order < 2; ++order) {
    uint32_t bit = order == 0 ? kFirstRoleFirst : kSecondRoleFirst;
    const OrderTally& control = forced.onlyOrder[1 - order];
    if (failure.orders == bit && control.runs >= kControlRuns &&
        !mayBeChance(failure, forced.orders[order], control))
      return order;
  }
  return std::nullopt;
}

/// Runs that failed from the cause from which this one did.
uint64_t failuresLike(const CapturedRun& run, const ForcedCandidate& forced) {
  auto found = forced.failures.find(causeOf(run));
  return found == forced.failures.end() ? 0 : found->second.count;
}

} // namespace

Result<RaceCase> judgeHarm(const ForcedCandidate& forced, ControlRuns& controls) {
  RaceCase race;
  race.forced = &forced;
  const ForcedFailure* harm = nullptr;
  for (const auto& [key, failure] : forced.failures)
    if (failure.met && !harm)
      if ((race.failingOrder = orderAtFault(forced, failure)))
        harm = &failure;
  for (const auto& [key, failure] : forced.failures) {
    if (harm || !failure.met)
      continue;
    auto normal = controls.failuresWithoutRaces(failure.run.schedule.timeAny);
    if (!normal)
      return normal.error();
    if (*normal && !(*normal)->contains(key))
      harm = &failure;
  }
  race.harmful = harm != nullptr;
  if (harm)
    race.run = harm->run;
  else if (forced.meeting)
    race.run = *forced.meeting;
  else
    for (const auto& [key, failure] : forced.failures)
      if (failure.met)
        race.run = failure.run;
  return race;
}

Result<ViolationCase> judgeHarmOfPattern(const ForcedCandidate& forced, ControlRuns& controls,
                                         const NeedsPattern& needs) {
  ViolationCase violation;
  violation.forced = &forced;
  const ForcedFailure* harm = nullptr;
  if (forced.leadsToFailure()) {
    auto normal = controls.failuresWithout(forced.candidate);
    if (!normal)
      return normal.error();
    for (const auto& [cause, failure] : forced.failures) {
      bool possible = *normal && failure.met && !(*normal)->contains(cause);
      if (!possible || (harm && harm->metCount >= failure.metCount))
        continue;
      auto needed = needs(cause);
      if (!needed)
        return needed.error();
      if (*needed)
        harm = &failure;
    }
  }
  violation.harmful = harm != nullptr;
  if (harm)
    violation.run = harm->run;
  else if (forced.meeting)
    violation.run = *forced.meeting;
  else
    for (const auto& [cause, failure] : forced.failures)
      if (failure.met)
        violation.run = failure.run;
  return violation;
}

Evidence evidenceOf(const ForcedCandidate& forced) {
  Evidence evidence;
  evidence.candidate = forced.candidate;
  evidence.runs = forced.runs;
  evidence.met = forced.met;
  evidence.thrashings = forced.thrashings;
  evidence.allReached = forced.allReached();
  evidence.probability = forced.probability();
  std::copy(std::begin(forced.orders), std::end(forced.orders), evidence.orders);
  evidence.controlRuns = kControlRuns;
  return evidence;
}

Evidence evidenceOf(const RaceCase& race) {
  Evidence evidence = evidenceOf(*race.forced);
  evidence.harmful = race.harmful;
  evidence.failingOrder = race.failingOrder;
  if (race.harmful)
    evidence.failures = failuresLike(race.run, *race.forced);
  return evidence;
}

Evidence evidenceOf(const ViolationCase& violation) {
  Evidence evidence = evidenceOf(*violation.forced);
  evidence.harmful = violation.harmful;
  if (violation.harmful)
    evidence.failures = failuresLike(violation.run, *violation.forced);
  return evidence;
}

} // namespace heddle
