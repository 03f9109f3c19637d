#include "pipeline/stages/force.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr double kMinForcing = 1; ///< seconds that are worth another round of it

} // namespace

Force::Force(SearchState& search, const StaticPairs& pairs)
    : search_(search), pairs_(pairs), forcing_(search.context),
      cases_(search.context, search.judging.judge(), forcing_, search.controls) {
  search.judging.add(cases_);
}

Turn Force::advance() {
  Turn turn = force();
  turn.judge = true;
  return turn;
}

bool Force::wantsShortTurn() const {
  return hasNews() || (predicted_.value_or(0) != 0 && forcing_.hasOpen());
}

Turn Force::advanceShortly() {
  uint64_t before = seen();
  Turn turn = force();
  turn.fresh = seen() - before;
  turn.failed = std::any_of(forcing_.forced().begin(), forcing_.forced().end(),
                            [](const ForcedCandidate& forced) { return forced.failed(); });
  return turn;
}

uint64_t Force::seen() const {
  uint64_t count = 0;
  for (const ForcedCandidate& forced : forcing_.forced())
    count += (forced.met != 0) + (forced.orders[0].runs != 0) + (forced.orders[1].runs != 0);
  return count;
}

Turn Force::force() {
  Turn turn;
  if (search_.context.budget.searchIsOver())
    return turn;
  std::vector<Candidate> candidates = search_.prediction.candidates().ranked();
  std::erase_if(candidates,
                [&](const Candidate& candidate) { return !pairs_.mayForce(candidate); });
  predicted_ = search_.prediction.candidates().size();
  if (candidates.empty())
    return turn;
  if (search_.stopsAtFailure())
    forcing_.stopAtFailure();
  auto outcome = forcing_.force(candidates);
  if (!outcome) {
    turn.error = outcome.error();
    return turn;
  }
  outOfTime_ = outcome->outOfBudget;
  turn.error = outcome->lost;
  return turn;
}

bool Force::wantsMore() const {
  return outOfTime_ && search_.context.budget.secondsLeft().value_or(0) > kMinForcing;
}

bool Force::hasNews() const {
  return search_.prediction.candidates().size() != predicted_.value_or(0);
}

void Force::finish() {
  if (!search_.samples && !forcing_.forced().empty() && search_.prediction.sites())
    cases_.addPotential(*search_.prediction.sites(), pairs_.isOnlySource());
}

void Force::summarize(Report& report) {
  if (!predicted_)
    return;
  if (*predicted_ == 0 && search_.learning.recordings() == 0 && !search_.learning.isKnown()) {
    report.summary.emplace_back("prediction: none, because no recording came to its end");
    return;
  }
  if (*predicted_ == 0) {
    report.summary.emplace_back("prediction: nothing can race or deadlock in what was recorded");
    return;
  }
  cases_.warnOfUnconfirmed();
  size_t met = 0;
  size_t weak = 0;
  for (const ForcedCandidate& forced : forcing_.forced()) {
    met += forced.met != 0;
    weak += forced.met == 0 && forced.candidate.missingOrder();
  }
  size_t onlyStatic = pairs_.added();
  report.summary.push_back("prediction: " + std::to_string(*predicted_ - onlyStatic) +
                           (onlyStatic ? " and " + std::to_string(onlyStatic) + " static" : "") +
                           (*predicted_ == 1 ? " candidate" : " candidates") +
                           "; forcing: " + std::to_string(met) + " triggered" + weakText(weak) +
                           (outOfTime_ ? ", its time limit was reached" : ""));
  report.factsAs<SearchSummary>().candidates = *predicted_;
}

std::string Force::weakText(size_t candidates) const {
  if (candidates == 0)
    return "";
  return ", " + std::to_string(candidates) + (candidates == 1 ? " lacks" : " lack") +
         " a memory order" + (search_.samples ? " (heddle races says which)" : "");
}

} // namespace heddle
