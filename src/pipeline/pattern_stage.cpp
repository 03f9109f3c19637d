#include "pipeline/pattern_stage.h"

#include "control/interrupt.h"
#include "describe/finding_builder.h"
#include "pipeline/baselines.h"
#include "pipeline/cause.h"
#include "pipeline/pattern_suspects.h"
#include "pipeline/site_listing.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace heddle {
namespace {

/// Share of the time behind that of races for patterns.
constexpr double kPatternShare = 0.3;
/// Share of what a stage has for profiling, and of what is left then for forcing; the rest is for
/// judging.
constexpr double kProfilingShare = 0.4;
constexpr double kForcingShare = 0.6;
/// Profiling runs of a check; the paper says that five show almost all.
constexpr uint64_t kCheckProfilingRuns = 5;
constexpr size_t kMostPatternsOfACheck = 32;
/// Runs of a method that is compared when nobody says otherwise.
constexpr uint64_t kBaselineRuns = 100;
/// Finding the cause of a failure may take as long as finding the failure, or at least this: runs
/// that hang are long.
constexpr double kSecondsForACause = 5;
/// A failure is traced back to one of so many patterns; more would take too long.
constexpr size_t kMostSuspects = 12;

/// Whether code that is not there yet may come.
bool loadsLibraries(const SiteCatalog& sites) {
  auto entries = sites.entries();
  return std::any_of(entries.begin(), entries.end(),
                     [](const SiteEntry& site) { return site.callee == "dlopen"; });
}

} // namespace

Status PatternStage::readSets() {
  const std::string& file = context_.options().sets;
  if (file.empty())
    return Success{};
  auto read = SetAnnotations::read(file);
  if (!read)
    return read.error();
  sets_ = std::move(*read);
  auto sites = describeSites(context_);
  if (!sites)
    return sites.error();
  Status status = sets_->check(**sites);
  return loadsLibraries(**sites) ? Status(Success{}) : status; // profiling looks again
}

Forcing& PatternStage::forcing() {
  if (!forcing_)
    forcing_.emplace(context_);
  return *forcing_;
}

std::optional<double> PatternStage::seconds() const {
  return ofACheck() ? shareOfTime(context_.budget, kPatternShare) : std::nullopt;
}

double PatternStage::secondsToExplain() const {
  double most = std::max(kSecondsForACause, context_.budget.secondsUsed());
  auto left = context_.budget.secondsLeft();
  return left ? std::min(most, *left * kPatternShare) : most;
}

Status PatternStage::profile(std::vector<FailingRun>& failures) {
  if (profiling_)
    return Success{};
  StageLimit limit(context_.budget, shareOfTime(context_.budget, kProfilingShare),
                   shareOfRuns(context_.budget, kProfilingShare));
  profiling_.emplace(context_);
  if (sets_)
    profiling_->setAnnotations(&*sets_);
  auto failed = profiling_->profile(ofACheck() ? kCheckProfilingRuns : context_.options().profiles);
  if (!failed)
    return failed.error();
  std::move(failed->begin(), failed->end(), std::back_inserter(failures));
  return judge_.confirmFailures(failures);
}

Result<Forcing::Outcome> PatternStage::forcePatterns(const std::vector<Candidate>& candidates) {
  StageLimit limit(context_.budget, shareOfTime(context_.budget, kForcingShare));
  return forcing().force(candidates);
}

Status PatternStage::force(std::vector<FailingRun>& failures, const std::set<std::string>& known,
                           Report& report) {
  StageLimit limit(context_.budget, seconds(),
                   ofACheck() ? shareOfRuns(context_.budget, kPatternShare) : std::nullopt);
  if (Status status = profile(failures); !status)
    return status;
  if (!profiling_->hasEntries())
    report.summary.emplace_back(
        "atomic sets: no function gets an object or uses a global; nothing to check");
  if (const std::string& method = context_.options().method; method != "forced")
    return compareWith(method, report);
  auto candidates = profiling_->candidates().ranked();
  if (ofACheck() && candidates.size() > kMostPatternsOfACheck)
    candidates.resize(kMostPatternsOfACheck);
  std::optional<Error> lost;
  if (!candidates.empty()) {
    if (ofACheck() && !context_.options().keep_going)
      forcing().stopAtFailure();
    if (!failures.empty() || !ofACheck())
      forcing().seekFailure(); // nothing samples behind it: harm shows here or nowhere
    auto outcome = forcePatterns(candidates);
    if (!outcome)
      return outcome.error();
    lost = outcome->lost;
    if (Status status = judge_.judge(forcing(), /*notes=*/!ofACheck(), known); !status)
      return status;
    std::vector<FailingRun> others = AtomicityJudge::failuresOf(forcing());
    std::move(others.begin(), others.end(), std::back_inserter(failures));
    if (!ofACheck() && profiling_->sites())
      judge_.addPotential(forcing(), *profiling_->sites());
  }
  failures = judge_.unexplained(std::move(failures));
  summarize(report);
  return lost ? Status(*lost) : Status(Success{});
}

void PatternStage::summarize(Report& report) const {
  uint64_t predicted = 0;
  uint64_t met = 0;
  uint64_t runs = 0;
  uint64_t hits = 0;
  uint64_t thrashings = 0;
  uint64_t first = 0; // run of a candidate in which it came about
  if (forcing_)
    for (const ForcedCandidate& forced : forcing_->forced()) {
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
  report.summary.push_back(
      "atomic sets: " + std::to_string(profiling_->units()) + " units of work, " +
      std::to_string(predicted) + (predicted == 1 ? " pattern" : " patterns") + " predicted from " +
      std::to_string(profiling_->runs()) +
      (profiling_->runs() == 1 ? " profiling run" : " profiling runs") +
      "; forcing: " + std::to_string(met) + " came about in " + std::to_string(runs) + " runs, " +
      std::to_string(thrashings) + " thrashings" +
      (ofACheck() && met != 0 ? " (heddle atomicity lists those that broke nothing)" : ""));
  report.factsAs<SearchSummary>().patterns = {predicted, met, runs, hits, first, thrashings};
}

Status PatternStage::compareWith(const std::string& method, Report& report) {
  const CandidateSet& candidates = profiling_->candidates();
  uint64_t runs = context_.options().trials != 0 ? context_.options().trials : kBaselineRuns;
  auto result = method == "monitoring" ? monitor(context_, candidates, runs)
                                       : lookForLockPattern(context_, candidates, runs);
  if (!result)
    return result.error();
  report.summary.push_back(
      method + ": " + std::to_string(result->detections) + " of " + std::to_string(result->runs) +
      " runs showed a violation" +
      (result->first != 0 ? ", the first was run " + std::to_string(result->first) : ""));
  report.factsAs<SearchSummary>().method = {
      method,           result->runs,      result->detections, result->first, result->violations,
      result->failures, result->thrashings};
  return Success{};
}

Status PatternStage::explain(std::vector<FailingRun>& failures) {
  failures = judge_.unexplained(std::move(failures));
  StageLimit limit(context_.budget, secondsToExplain());
  for (const FailingRun& failing : failures) {
    if (context_.budget.mustEnd())
      break;
    if (!needsExplanation(failing) || !pursued_.insert(causeOf(failing)).second)
      continue;
    // What there is no time for is not explained, and the failure is reported as it is.
    if (Status status = findCause(failing);
        !status && (!status.error().isNotEnded() || interrupted()))
      return status;
  }
  failures = judge_.unexplained(std::move(failures));
  return Success{};
}

bool PatternStage::needsExplanation(const FailingRun& failing) const {
  // Threads that wait for each other say themselves what is wrong.
  if (failing.record.failure == FailureKind::Deadlock &&
      !waitCircle(failing.record.threads).empty())
    return false;
  Finding finding =
      buildFinding(failing, failing.record, nullptr, context_.notes.normalExitStatus());
  return !context_.suppressions.matches(finding);
}

Status PatternStage::findCause(const FailingRun& failing) {
  context_.showProgress({"looking for the cause", context_.tally.runs, 0, 1});
  // In the run with the fewest preemptions there is little that has nothing to do with the failure.
  FailingRun shortest = failing;
  if (auto budget = Minimizer::budgetOf(context_); budget && !failing.schedule.decisions.empty())
    if (auto minimized = minimizer_.minimize(failing, Keeps::Failure, *budget))
      shortest = std::move(minimized->run);
  auto suspects = suspectsOf(shortest);
  if (!suspects)
    return suspects.error();
  forcing().seekFailure();
  std::string cause = causeOf(failing);
  std::vector<Candidate> pursued;
  for (const Candidate& suspect : *suspects) {
    if (pursued.size() == kMostSuspects || context_.budget.mustEnd())
      break;
    auto shown = judge_.isIn(suspect, shortest);
    if (!shown)
      return shown.error();
    if (!*shown)
      continue;
    if (Status status = pursue(suspect); !status)
      return status;
    pursued.push_back(suspect);
  }
  return judgeSuspects(pursued, cause);
}

Result<std::vector<Candidate>> PatternStage::suspectsOf(const FailingRun& failing) {
  auto suspects = patternSuspectsOf(context_, failing, sets_.value_or(SetAnnotations()));
  if (!suspects)
    return suspects.error();
  // A run that fails before the last access of a pattern does not show it.
  std::vector<FailingRun> ignored; // what fails in profiling fails again
  if (Status status = profile(ignored); !status)
    return status.error();
  std::set<CandidateKey> known;
  for (const Candidate& suspect : *suspects)
    known.insert(keyOf(suspect));
  for (Candidate& candidate : profiling_->candidates().ranked())
    if (suspects->size() < kMostPatternsOfACheck && !known.contains(keyOf(candidate)))
      suspects->push_back(std::move(candidate));
  return suspects;
}

Status PatternStage::pursue(const Candidate& suspect) {
  auto outcome = forcing().pursue(suspect);
  if (!outcome)
    return outcome.error();
  return outcome->lost ? Status(*outcome->lost) : Status(Success{});
}

Status PatternStage::judgeSuspects(const std::vector<Candidate>& suspects,
                                   const std::string& cause) {
  std::multimap<double, const ForcedCandidate*> mostFailingFirst;
  for (const Candidate& suspect : suspects)
    for (const ForcedCandidate& forced : forcing().forced())
      if (keyOf(forced.candidate) == keyOf(suspect) && forced.leadsTo(cause))
        mostFailingFirst.emplace(-forced.shareOf(cause), &forced);
  for (auto [share, forced] : mostFailingFirst) {
    if (judge_.explains(cause))
      break;
    if (Status status = judge_.judgeCause(*forced, forcing(), cause); !status)
      return status;
  }
  return Success{};
}

} // namespace heddle
