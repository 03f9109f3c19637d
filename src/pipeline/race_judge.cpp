#include "pipeline/race_judge.h"

#include "control/interrupt.h"
#include "pipeline/cause.h"
#include "pipeline/suspects.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle {
namespace {

constexpr size_t kMostPotential = 200;
/// Of the time that is left, for the races that may be the cause of failures.
constexpr double kCauseShare = 0.4;

/// The lines of a candidate's sides, as a user sees them.
std::set<std::string> linesOf(const Candidate& candidate, const SiteCatalog* sites) {
  std::set<std::string> lines;
  for (const CandidateSide& side : candidate.sides) {
    SiteIdentity shown = side.caller == SiteIdentity::None ? side.site : side.caller;
    const SiteEntry* entry = sites ? sites->find(shown) : nullptr;
    lines.insert(entry && entry->line != 0 ? entry->file + ":" + std::to_string(entry->line)
                                           : std::to_string(raw(shown)));
  }
  return lines;
}

const SiteCatalog* catalogOf(const ForcedCandidate& forced) {
  if (forced.meeting)
    return forced.meeting->record.sites.get();
  for (const auto& [key, failure] : forced.failures)
    if (failure.run.record.sites)
      return failure.run.record.sites.get();
  return nullptr;
}

} // namespace

std::vector<FailingRun> RaceJudge::unexplained(std::vector<FailingRun> failures) const {
  std::erase_if(failures,
                [&](const FailingRun& failing) { return explained_.contains(causeOf(failing)); });
  return failures;
}

Status RaceJudge::findCause(const FailingRun& failing, Forcing& forcing) {
  std::string cause = causeOf(failing);
  auto explains = [&](const ForcedCandidate& forced) { return forced.leadsTo(cause); };
  auto isExplained = [&] {
    return std::any_of(forcing.forced().begin(), forcing.forced().end(), explains);
  };
  if (isExplained() || !pursued_.insert(cause).second || context_.budget.mustEnd())
    return Success{};
  auto suspects = suspectsOf(context_, failing);
  if (!suspects)
    return suspects.error();
  for (const Candidate& suspect : *suspects) {
    auto outcome = forcing.pursue(suspect);
    if (!outcome)
      return outcome.error();
    if (outcome->lost || isExplained() || context_.budget.mustEnd())
      break;
  }
  return Success{};
}

Status RaceJudge::findCauses(const std::vector<FailingRun>& failures, Forcing& forcing) {
  StageLimit limit(context_.budget, shareOfTime(context_.budget, kCauseShare));
  for (const FailingRun& failing : failures)
    if (Status status = findCause(failing, forcing); !status)
      return status;
  return Success{};
}

std::vector<FailingRun> RaceJudge::newFailures(const Forcing& forcing) {
  std::vector<FailingRun> failures;
  for (const ForcedCandidate& forced : forcing.forced())
    for (const auto& [cause, failure] : forced.failures)
      if (taken_.emplace(&forced, cause).second)
        failures.push_back(failure.run);
  return failures;
}

Result<std::vector<FailingRun>> RaceJudge::judge(Forcing& forcing, std::vector<FailingRun> others,
                                                 std::optional<double> seconds) {
  std::vector<FailingRun> failures = newFailures(forcing);
  std::move(others.begin(), others.end(), std::back_inserter(failures));
  if (Status status = judge_.confirm(failures); !status)
    return status.error();
  if (Status status = findCauses(failures, forcing); !status)
    return status.error();
  for (FailingRun& failing : newFailures(forcing))
    failures.push_back(std::move(failing));
  DeferInterrupts defer;
  if (Status status = judgeRaces(forcing, seconds); !status)
    return status.error();
  return unexplained(std::move(failures));
}

Status RaceJudge::judgeRaces(Forcing& forcing, std::optional<double> seconds) {
  std::map<Lines, Group> groups;
  std::vector<Lines> order; // of rank
  for (const ForcedCandidate& forced : forcing.forced()) {
    if (forced.met == 0 || forced.candidate.kind != TargetKind::Race)
      continue;
    Lines lines = linesOf(forced.candidate, catalogOf(forced));
    if (groups[lines].empty())
      order.push_back(lines);
    groups[lines].push_back(&forced);
  }
  StageLimit limit(context_.budget, seconds);
  for (const Lines& lines : order) {
    uint64_t runs = 0;
    bool failed = false;
    for (const ForcedCandidate* forced : groups[lines]) {
      runs += forced->runs;
      failed |= forced->failed();
    }
    bool postponed = seconds && !failed && context_.budget.mustEnd();
    if (postponed || std::exchange(judged_[lines], runs) == runs)
      continue;
    if (Status status = judgeGroup(groups[lines], forcing); !status)
      return status;
  }
  return Success{};
}

void RaceJudge::warnOfUnconfirmed() {
  if (unconfirmed_ != 0)
    context_.notes.addWarning(std::to_string(unconfirmed_) +
                              " races came about, but there was no time to see them happen again" +
                              (unconfirmed_ > kMostPotential
                                   ? "; the first " + std::to_string(kMostPotential) + " are listed"
                                   : "") +
                              ": give more with --seconds");
}

void RaceJudge::addPotential(const Forcing& forcing, const SiteCatalog& sites, bool withStatic) {
  std::set<std::set<std::string>> known;
  for (const ForcedCandidate& forced : forcing.forced())
    if (forced.met != 0)
      known.insert(linesOf(forced.candidate, &sites));
  std::map<std::set<std::string>, const ForcedCandidate*> shown;
  std::vector<std::set<std::string>> order; // of rank
  for (const ForcedCandidate& forced : forcing.forced()) {
    auto lines = linesOf(forced.candidate, &sites);
    bool onlyStatic = forced.candidate.count == 0;
    if (forced.met != 0 || known.contains(lines) || (onlyStatic && !withStatic))
      continue;
    auto [place, isNew] = shown.try_emplace(lines, &forced);
    if (isNew)
      order.push_back(lines);
    else if (!place->second->candidate.missingOrder() && forced.candidate.missingOrder())
      place->second = &forced; // says more
  }
  size_t listed = std::min(order.size(), kMostPotential - std::min(known.size(), kMostPotential));
  for (size_t i = 0; i < listed; ++i)
    judge_.addPotential(buildPotentialFinding(evidenceOf(*shown[order[i]]), sites));
  size_t left = order.size() - listed;
  if (left != 0)
    context_.notes.addWarning(std::to_string(left) +
                              " more candidates that did not come about are not "
                              "listed");
}

Result<std::optional<RaceCase>> RaceJudge::bestCase(const Group& group, Forcing& forcing,
                                                    std::set<std::string>& harm) {
  std::optional<RaceCase> best;
  for (const ForcedCandidate* forced : group) {
    if (best && !forced->failed() && (best->harmful || forced->met <= best->forced->met))
      continue;
    auto judged = judgeHarm(*forced, forcing);
    if (!judged)
      return judged.error();
    if (judged->harmful)
      harm.insert(causeOf(judged->run));
    if (!best || (judged->harmful && !best->harmful) ||
        (judged->harmful == best->harmful && forced->met > best->forced->met))
      best = std::move(*judged);
  }
  return best;
}

Status RaceJudge::judgeGroup(const Group& group, Forcing& forcing) {
  std::set<std::string> harm;
  auto best = bestCase(group, forcing, harm);
  if (!best)
    return best.error();
  auto confirmed = *best ? judgeRace(**best, group.size()) : Result(false);
  if (!confirmed)
    return confirmed.error();
  // A failure is worth more than its cause if that could not be confirmed.
  if (*confirmed)
    explained_.merge(harm);
  return Success{};
}

void RaceJudge::keepUnconfirmed(const RaceCase& race) {
  if (++unconfirmed_ > kMostPotential)
    return;
  judge_.keepUnconfirmed(buildRaceFinding(evidenceOf(race), race.run, race.run.record, nullptr,
                                          context_.notes.normalExitStatus()),
                         race.run);
}

Result<bool> RaceJudge::judgeRace(const RaceCase& race, size_t pairs) {
  Confirmation& confirmation = judge_.confirmation();
  auto verdict = confirmation.confirm(race.run);
  if (!verdict)
    return verdict.error();
  bool met = verdict->replayed.result.meetings != 0;
  if (verdict->answer == Confirmation::Answer::NotEnded) {
    keepUnconfirmed(race);
    return false;
  }
  if (verdict->answer == Confirmation::Answer::Different || !met) {
    judge_.reject(race.run, met ? verdict->difference : "the accesses did not meet");
    return false;
  }
  auto confirmed =
      judge_.minimize({race.run, std::move(verdict->replayed), std::nullopt}, Keeps::Meeting);
  if (!confirmed)
    return confirmed.error();
  RaceCase shown = race;
  shown.run = confirmed->run;
  keep(shown, *confirmed, pairs);
  return true;
}

void RaceJudge::keep(const RaceCase& race, const Judge::ConfirmedRun& confirmed, size_t pairs) {
  int normalExit = context_.notes.normalExitStatus();
  Evidence evidence = evidenceOf(race);
  Finding finding = buildRaceFinding(evidence, race.run, confirmed.replayed, nullptr, normalExit);
  auto recorded =
      judge_.confirmation().replayInDetail(race.run.schedule, race.run.sites, finding.id);
  if (recorded && recorded->record.meeting)
    finding = buildRaceFinding(evidence, race.run, confirmed.replayed, &*recorded, normalExit);
  else
    finding.notes.push_back("no interleaving: the run could not be recorded in detail");
  addSwitches(finding, confirmed);
  if (pairs > 1)
    finding.notes.push_back(std::to_string(pairs) + " pairs of accesses at these lines race");
  judge_.keep(finding, race.run);
}

} // namespace heddle
