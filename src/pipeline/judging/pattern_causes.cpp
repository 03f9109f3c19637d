#include "pipeline/judging/pattern_causes.h"

#include "control/interrupt.h"
#include "describe/finding_builder.h"
#include "pipeline/candidates/pattern_suspects.h"
#include "pipeline/runs/cause.h"
#include "pipeline/runs/program_sites.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace heddle {
namespace {

/// Share of what a stage has for profiling.
constexpr double kProfilingShare = 0.4;
/// Finding the cause of a failure may take as long as finding the failure, or at least this: runs
/// that hang are long.
constexpr double kSecondsForACause = 5;
/// A failure is traced back to one of so many patterns; more would take too long.
constexpr size_t kMaxSuspects = 12;
/// Functions that are taken for units, one after the other, when nothing else explains a failure.
constexpr size_t kMaxComposing = 4;

/// Whether code that is not there yet may come.
bool loadsLibraries(const SiteCatalog& sites) {
  auto entries = sites.entries();
  return std::any_of(entries.begin(), entries.end(),
                     [](const SiteEntry& site) { return site.callee == "dlopen"; });
}

} // namespace

Status PatternCauses::readSets() {
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

Status PatternCauses::profile(std::vector<CapturedRun>& failures) {
  if (profiling_)
    return Success{};
  StageLimit limit(context_.budget, shareOfTime(context_.budget, kProfilingShare),
                   shareOfRuns(context_.budget, kProfilingShare));
  profiling_.emplace(context_);
  if (sets_)
    profiling_->setAnnotations(&*sets_);
  auto failed = profiling_->profile(profilingRuns_);
  if (!failed)
    return failed.error();
  std::move(failed->begin(), failed->end(), std::back_inserter(failures));
  return judge_.confirm(failures);
}

double PatternCauses::secondsToExplain() const {
  double most = std::max(kSecondsForACause, context_.budget.secondsUsed());
  auto left = context_.budget.secondsLeft();
  return left ? std::min(most, *left * causeShare_) : most;
}

Status PatternCauses::explain(std::vector<CapturedRun>& failures, std::optional<double>) {
  cases_.removeExplained(failures);
  StageLimit limit(context_.budget, secondsToExplain());
  for (const CapturedRun& failing : failures) {
    if (context_.budget.mustEnd())
      break;
    if (!needsExplanation(failing) || !pursued_.insert(causeOf(failing)).second)
      continue;
    // What there is no time for is not explained, and the failure is reported as it is.
    if (Status status = findCause(failing);
        !status && (!status.error().isNotEnded() || interrupted()))
      return status;
  }
  cases_.removeExplained(failures);
  return Success{};
}

bool PatternCauses::needsExplanation(const CapturedRun& failing) const {
  // Threads that wait for each other say themselves what is wrong.
  if (failing.record.failure == FailureKind::Deadlock &&
      !waitCircle(failing.record.threads).empty())
    return false;
  Finding finding =
      buildFinding(failing, failing.record, nullptr, context_.notes.normalExitStatus());
  return !context_.suppressions.matches(finding);
}

Status PatternCauses::findCause(const CapturedRun& failing) {
  context_.showProgress({"looking for the cause", context_.tally.runs, 0, 1});
  // In the run with the fewest preemptions there is little that has nothing to do with the failure.
  const RunResult& result = failing.record.result;
  ShortenedRun shortest{failing, {result.preemptions, result.switches}};
  if (auto budget = Minimizer::budgetOf(context_); budget && !failing.schedule.decisions.empty())
    if (auto minimized = judge_.minimizer().minimize(failing, Keeps::Failure, *budget))
      shortest.run = std::move(minimized->run);
  forcing_.seekFailure();
  auto suspects = suspectsOf(shortest.run);
  if (!suspects)
    return suspects.error();
  if (Status status = pursue(*suspects, shortest); !status)
    return status;
  return cases_.explains(causeOf(failing)) ? Status(Success{}) : pursueComposed(shortest);
}

Status PatternCauses::pursueComposed(const ShortenedRun& failing) {
  auto functions = composingFunctionsOf(context_, failing.run);
  if (!functions)
    return functions.error();
  if (functions->size() > kMaxComposing)
    functions->resize(kMaxComposing);
  for (const std::string& function : *functions) {
    if (context_.budget.mustEnd() || cases_.explains(causeOf(failing.run)))
      break;
    SetAnnotations guess = sets_.value_or(SetAnnotations());
    guess.addUnit(function);
    auto suspects = patternSuspectsOf(context_, failing.run, guess);
    if (!suspects)
      return suspects.error();
    if (Status status = pursue(*suspects, failing); !status)
      return status;
  }
  return Success{};
}

Status PatternCauses::pursue(const std::vector<Candidate>& suspects, const ShortenedRun& failing) {
  std::vector<Candidate> pursued;
  for (const Candidate& suspect : suspects) {
    if (pursued.size() == kMaxSuspects || context_.budget.mustEnd())
      break;
    auto shown = cases_.isIn(suspect, failing.run);
    if (!shown)
      return shown.error();
    if (!*shown)
      continue;
    auto outcome = forcing_.pursue(suspect);
    if (!outcome || outcome->lost)
      return outcome ? *outcome->lost : outcome.error();
    pursued.push_back(suspect);
  }
  return judgeSuspects(pursued, failing);
}

Result<std::vector<Candidate>> PatternCauses::suspectsOf(const CapturedRun& failing) {
  auto suspects = patternSuspectsOf(context_, failing, sets_.value_or(SetAnnotations()));
  if (!suspects)
    return suspects.error();
  // A run that fails before the last access of a pattern does not show it.
  std::vector<CapturedRun> ignored; // what fails in profiling fails again
  if (Status status = profile(ignored); !status)
    return status.error();
  std::set<CandidateKey> known;
  for (const Candidate& suspect : *suspects)
    known.insert(keyOf(suspect));
  for (Candidate& candidate : profiling_->candidates().ranked())
    if (suspects->size() < kMaxPatternsOfACheck && !known.contains(keyOf(candidate)))
      suspects->push_back(std::move(candidate));
  return suspects;
}

Status PatternCauses::judgeSuspects(const std::vector<Candidate>& suspects,
                                    const ShortenedRun& failing) {
  const std::string cause = causeOf(failing.run);
  std::multimap<double, const ForcedCandidate*> mostFailingFirst;
  for (const Candidate& suspect : suspects)
    for (const ForcedCandidate& forced : forcing_.forced())
      if (keyOf(forced.candidate) == keyOf(suspect) && forced.leadsTo(cause))
        mostFailingFirst.emplace(-forced.shareOf(cause), &forced);
  for (auto [share, forced] : mostFailingFirst) {
    if (cases_.explains(cause))
      break;
    if (Status status = cases_.judgeCause(*forced, cause, failing); !status)
      return status;
  }
  return Success{};
}

} // namespace heddle
