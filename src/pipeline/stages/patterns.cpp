#include "pipeline/stages/patterns.h"

#include "pipeline/candidates/baselines.h"

#include <algorithm>
#include <iterator>

namespace heddle {
namespace {

/// Share of what is left after profiling for forcing; the rest is for judging.
constexpr double kForcingShare = 0.6;
/// Profiling runs of a check; the paper says that five show almost all.
constexpr uint64_t kCheckProfilingRuns = 5;
/// Runs of a method that is compared when nobody says otherwise.
constexpr uint64_t kBaselineRuns = 100;

} // namespace

Patterns::Patterns(SearchState& search, const std::set<std::string>& known)
    : search_(search), known_(known), forcing_(search.context),
      causes_(search.context, search.judging.judge(), forcing_, search.controls) {
  causes_.setProfilingRuns(search.samples ? kCheckProfilingRuns
                                          : search.context.options().profiles);
  if (search.stopsAtFailure())
    causes_.setEndsSearch();
  search.judging.add(causes_);
}

Turn Patterns::advance() {
  Turn turn;
  turn.judge = true;
  // Of a long run windows show more in the same time than runs that are forced as a whole.
  bool leftToSampling = search_.samples && search_.context.lengths.isLong();
  if (leftToSampling || search_.context.budget.searchIsOver() || search_.isDone())
    return turn;
  if (Status status = force(); !status)
    turn.error = status.error();
  return turn;
}

Status Patterns::force() {
  if (Status status = causes_.profile(search_.failures); !status)
    return status;
  const Profiling& profiling = *causes_.profiling();
  if (!profiling.hasEntries())
    search_.addSummary(
        "atomic sets: no function gets an object or uses a global; nothing to check");
  if (const std::string& method = search_.context.options().method; method != "forced")
    return compareWith(method);
  std::vector<Candidate> candidates = profiling.candidates().ranked();
  if (search_.samples && candidates.size() > kMaxPatternsOfACheck)
    candidates.resize(kMaxPatternsOfACheck);
  Status status = candidates.empty() ? Status(Success{}) : forcePatterns(candidates);
  causes_.cases().removeExplained(search_.failures);
  addLines();
  return status;
}

Status Patterns::forcePatterns(const std::vector<Candidate>& candidates) {
  if (search_.stopsAtFailure())
    forcing_.stopAtFailure();
  if (!search_.failures.empty() || !search_.samples)
    forcing_.seekFailure(); // nothing samples after it: harm shows here or nowhere
  auto outcome = [&] {
    Budget& budget = search_.context.budget;
    StageLimit limit(budget, shareOfTime(budget, kForcingShare));
    return forcing_.force(candidates);
  }();
  if (!outcome)
    return outcome.error();
  ViolationCases& cases = causes_.cases();
  if (Status status = cases.judge(/*notes=*/!search_.samples, known_); !status)
    return status;
  std::vector<CapturedRun> failed = cases.failures();
  std::move(failed.begin(), failed.end(), std::back_inserter(search_.failures));
  if (const SiteCatalog* sites = causes_.profiling()->sites(); sites && !search_.samples)
    cases.addPotential(*sites);
  return outcome->lost ? Status(*outcome->lost) : Status(Success{});
}

void Patterns::addLines() const {
  const Profiling& profiling = *causes_.profiling();
  uint64_t predicted = 0;
  uint64_t met = 0;
  uint64_t runs = 0;
  uint64_t hits = 0;
  uint64_t thrashings = 0;
  uint64_t first = 0; // run of a candidate in which it was triggered
  for (const ForcedCandidate& forced : forcing_.forced()) {
    if (forced.candidate.count == 0 && forced.met == 0)
      continue; // only a guess
    ++predicted;
    met += forced.met != 0;
    runs += forced.runs;
    hits += forced.met;
    if (forced.met != 0)
      first = first == 0 ? forced.firstMet : std::min(first, forced.firstMet);
    thrashings += forced.thrashings;
  }
  search_.addSummary(
      "atomic sets: " + std::to_string(profiling.units()) + " units of work, " +
      std::to_string(predicted) + (predicted == 1 ? " pattern" : " patterns") + " predicted from " +
      std::to_string(profiling.runs()) +
      (profiling.runs() == 1 ? " profiling run" : " profiling runs") +
      "; forcing: " + std::to_string(met) + " triggered in " + std::to_string(runs) + " runs, " +
      std::to_string(thrashings) + " thrashings" +
      (search_.samples && met != 0 ? " (heddle atomicity lists those that broke nothing)" : ""));
  search_.facts().patterns = {predicted, met, runs, hits, first, thrashings};
}

Status Patterns::compareWith(const std::string& method) {
  const CandidateSet& candidates = causes_.profiling()->candidates();
  uint64_t runs =
      search_.context.options().trials != 0 ? search_.context.options().trials : kBaselineRuns;
  auto result = method == "monitoring" ? monitor(search_.context, candidates, runs)
                                       : lookForLockPattern(search_.context, candidates, runs);
  if (!result)
    return result.error();
  search_.addSummary(
      method + ": " + std::to_string(result->detections) + " of " + std::to_string(result->runs) +
      " runs showed a violation" +
      (result->first != 0 ? ", the first was run " + std::to_string(result->first) : ""));
  search_.facts().method = {
      method,           result->runs,      result->detections, result->first, result->violations,
      result->failures, result->thrashings};
  return Success{};
}

} // namespace heddle
