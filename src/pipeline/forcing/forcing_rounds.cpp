#include "pipeline/forcing/forcing_rounds.h"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

/// Runs of a candidate after each round.
constexpr uint64_t kRounds[] = {4, 12, 20, 50, 100};
/// Runs in which a role was never played, after which nobody waits for it any longer.
constexpr uint64_t kRunsToReach = 50;
/// Runs of a candidate that was triggered, before it is believed that nothing fails.
constexpr uint64_t kRunsToHarm = 12;
/// The same for one that is suspected to be the cause of a failure.
constexpr uint64_t kRunsOfASuspect = 20;
/// Of a pattern that may be the cause of a failure at hand.
constexpr uint64_t kRunsToExplain = 50;

uint64_t nextRoundAfter(uint64_t runs) {
  for (uint64_t round : kRounds)
    if (runs < round)
      return round;
  return runs;
}

bool orderIsJudged(const ForcedCandidate& forced, int order) {
  // What fails in this order must be absent in the other one to be its fault.
  return forced.orders[order].failures == 0 || forced.onlyOrder[1 - order].runs >= kControlRuns ||
         forced.orders[1 - order].failures != 0;
}

/// Of one that has not been triggered yet.
uint64_t runsToMeet(const ForcedCandidate& forced, const ForcingRounds::Rules& rules) {
  if (forced.runs >= kRunsToReach && !forced.allReached())
    return 0;
  bool isHasty = rules.isLong || rules.stopAtFailure;
  return forced.runs == 0 && isHasty ? 1 : nextRoundAfter(forced.runs);
}

/// How often it fails tells patterns apart of which one lies inside the other.
uint64_t runsOfPattern(const ForcedCandidate& forced, const ForcingRounds::Rules& rules) {
  bool fails = forced.leadsToFailure();
  uint64_t enough = rules.pursued && fails         ? kRunsOfASuspect
                    : rules.seeksFailure && !fails ? kRunsToExplain
                                                   : kRunsToHarm;
  return forced.runs >= enough ? 0 : nextRoundAfter(forced.runs);
}

uint64_t runsOfRace(const ForcedCandidate& forced, const ForcingRounds::Rules& rules) {
  bool bothOrders = forced.orders[0].runs != 0 && forced.orders[1].runs != 0;
  bool judged = forced.failed() ? orderIsJudged(forced, 0) && orderIsJudged(forced, 1)
                                : forced.runs >= (rules.pursued ? kRunsOfASuspect : kRunsToHarm);
  return bothOrders && judged ? 0 : nextRoundAfter(forced.runs);
}

} // namespace

uint64_t wantedRuns(const ForcedCandidate& forced, const ForcingRounds::Rules& rules) {
  if (rules.trials != 0)
    return rules.trials;
  if (forced.met == 0)
    return runsToMeet(forced, rules);
  if (forced.candidate.kind == TargetKind::LockCycle)
    return 0; // every meeting is the deadlock
  return forced.candidate.kind == TargetKind::AtomicSet ? runsOfPattern(forced, rules)
                                                        : runsOfRace(forced, rules);
}

size_t ForcingRounds::add(const Candidate& candidate) {
  auto [known, isNew] = known_.try_emplace(keyOf(candidate), forced_.size());
  if (isNew)
    forced_.emplace_back(candidate);
  return known->second;
}

bool ForcingRounds::mayRun(size_t candidate, const Rules& rules) const {
  if (rules.pursued)
    return candidate == *rules.pursued;
  bool stopped =
      rules.stopAtFailure && std::any_of(forced_.begin(), forced_.end(),
                                         [](const ForcedCandidate& f) { return f.failed(); });
  return !stopped || forced_[candidate].leadsToFailure();
}

std::vector<ForcedSlice> ForcingRounds::nextRound(const Rules& rules) const {
  std::vector<ForcedSlice> slices;
  // What a race breaks is often broken right after the access; whether it is triggered, and how
  // often, is found out without points that are not its own.
  bool mayBeFine = rules.trials == 0;
  for (size_t i = 0; i < forced_.size(); ++i) {
    uint64_t wanted = wantedRuns(forced_[i], rules);
    if (wanted <= forced_[i].runs || !mayRun(i, rules))
      continue;
    bool met = mayBeFine && forced_[i].met != 0;
    bool isPattern = forced_[i].candidate.kind == TargetKind::AtomicSet;
    slices.push_back(
        {i, wanted - forced_[i].runs, met && !isPattern, met && isPattern && rules.seeksFailure});
  }
  // Where there are not enough runs for all, those come first that had fewest.
  std::sort(slices.begin(), slices.end(), [&](const ForcedSlice& a, const ForcedSlice& b) {
    return std::pair(forced_[a.candidate].runs, a.candidate) <
           std::pair(forced_[b.candidate].runs, b.candidate);
  });
  return slices;
}

void limitRuns(std::vector<ForcedSlice>& slices, std::optional<uint64_t> left) {
  for (size_t i = 0; left && i < slices.size(); ++i) {
    slices[i].runs = std::min(slices[i].runs, *left);
    *left -= slices[i].runs;
  }
  std::erase_if(slices, [](const ForcedSlice& slice) { return slice.runs == 0; });
}

std::vector<Candidate> rareFirst(const std::vector<Candidate>& candidates,
                                 const std::map<uint64_t, uint64_t>& executions) {
  auto rarest = [&](const Candidate& candidate) {
    uint64_t least = UINT64_MAX; // also of sites of which nobody has seen that they share memory
    for (const CandidateSide& side : candidate.sides)
      if (auto known = executions.find(raw(side.site)); known != executions.end())
        least = std::min(least, known->second);
    return least;
  };
  std::vector<std::pair<uint64_t, size_t>> order; // those that are equally rare stay in order
  for (const Candidate& candidate : candidates)
    order.emplace_back(rarest(candidate), order.size());
  std::sort(order.begin(), order.end());
  std::vector<Candidate> sorted;
  for (auto [executed, index] : order)
    sorted.push_back(candidates[index]);
  return sorted;
}

} // namespace heddle
