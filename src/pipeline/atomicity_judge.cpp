#include "pipeline/atomicity_judge.h"

#include "control/interrupt.h"
#include "pipeline/cause.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr size_t kMostPotential = 100;

/// What a user sees of a candidate: the pattern's number, the members and the lines.
std::string placeOf(const Candidate& candidate, const SiteCatalog* sites) {
  std::string place = std::to_string(candidate.pattern.number) + " " + candidate.pattern.set + " " +
                      candidate.pattern.members[0] + " " + candidate.pattern.members[1];
  for (const CandidateSide& side : candidate.sides) {
    const SiteEntry* entry = sites ? sites->find(side.site) : nullptr;
    place += " " + (entry && entry->line != 0 ? entry->file + ":" + std::to_string(entry->line)
                                              : std::to_string(raw(side.site)));
  }
  return place;
}

const SiteCatalog* catalogOf(const ForcedCandidate& forced) {
  if (forced.meeting)
    return forced.meeting->record.sites.get();
  for (const auto& [cause, failure] : forced.failures)
    if (failure.run.record.sites)
      return failure.run.record.sites.get();
  return nullptr;
}

} // namespace

std::vector<FailingRun> AtomicityJudge::unexplained(std::vector<FailingRun> failures) const {
  std::erase_if(failures,
                [&](const FailingRun& failing) { return explained_.contains(causeOf(failing)); });
  return failures;
}

std::vector<FailingRun> AtomicityJudge::failuresOf(const Forcing& forcing) {
  std::vector<FailingRun> failures;
  for (const ForcedCandidate& forced : forcing.forced())
    for (const auto& [cause, failure] : forced.failures)
      failures.push_back(failure.run);
  return failures;
}

Status AtomicityJudge::judge(Forcing& forcing, bool notes, const std::set<std::string>& known) {
  DeferInterrupts defer;
  notes_ = notes;
  // Those with a failure first: of several patterns at the same lines the harmful one is shown.
  for (bool failing : {true, false}) {
    for (const ForcedCandidate& forced : forcing.forced()) {
      if (forced.met == 0 || forced.leadsToFailure() != failing)
        continue;
      if (!failing && !notes && !forced.candidate.pattern.declared)
        continue;
      if (Status status = judgeOne(forced, forcing, known); !status)
        return status;
    }
  }
  return Unit{};
}

Status AtomicityJudge::judgeOne(const ForcedCandidate& forced, Forcing& forcing,
                                const std::set<std::string>& known) {
  std::string place = placeOf(forced.candidate, catalogOf(forced));
  if (judged_.contains(place))
    return Unit{};
  auto violation = judgeHarmOfPattern(forced, forcing);
  if (!violation)
    return violation.error();
  if (!violation->harmful && isCutShort(violation->run.record, forced.candidate))
    return Unit{}; // nothing shows that it was completed
  bool wanted = violation->harmful ? !known.contains(causeOf(violation->run))
                                   : notes_ || forced.candidate.pattern.declared;
  if (!wanted)
    return Unit{};
  if (violation->harmful)
    explained_.insert(causeOf(violation->run));
  judged_.insert(place);
  auto verdict = judge_.confirmation().confirm(violation->run);
  if (!verdict)
    return verdict.error();
  bool met = verdict->replayed.result.meetings != 0;
  if (verdict->answer == Confirmation::Answer::NotEnded) {
    keepUnconfirmed(*violation);
    return Unit{};
  }
  if (verdict->answer == Confirmation::Answer::Different || !met) {
    judge_.reject(violation->run, met ? verdict->difference : "the pattern was not completed");
    return Unit{};
  }
  auto confirmed =
      judge_.minimize({violation->run, std::move(verdict->replayed), std::nullopt}, Keeps::Meeting);
  if (!confirmed)
    return confirmed.error();
  violation->run = confirmed->run;
  keep(*violation, *confirmed);
  return Unit{};
}

void AtomicityJudge::keepUnconfirmed(const ViolationCase& violation) {
  Finding finding =
      buildViolationFinding(violation, violation.run.record, nullptr, campaign_.normalExitStatus());
  finding.status = FindingStatus::Potential;
  finding.notes.push_back(kUnconfirmedNote);
  judge_.keep(finding, violation.run);
}

void AtomicityJudge::keep(const ViolationCase& violation, const Judge::ConfirmedRun& confirmed) {
  int normalExit = campaign_.normalExitStatus();
  Finding finding = buildViolationFinding(violation, confirmed.replayed, nullptr, normalExit);
  auto recorded =
      judge_.confirmation().replayInDetail(violation.run.schedule, violation.run.sites, finding.id);
  if (recorded && recorded->record.meeting)
    finding = buildViolationFinding(violation, confirmed.replayed, &*recorded, normalExit);
  else
    finding.notes.push_back("no interleaving: the run could not be recorded in detail");
  addSwitches(finding, confirmed);
  judge_.keep(finding, violation.run);
}

void AtomicityJudge::addPotential(const Forcing& forcing, const SiteCatalog& sites) {
  std::set<std::string> known = judged_;
  size_t listed = 0;
  size_t left = 0;
  for (const ForcedCandidate& forced : forcing.forced()) {
    bool guessed = forced.candidate.count == 0; // nobody did all of it
    if (guessed || forced.met != 0 || !known.insert(placeOf(forced.candidate, &sites)).second)
      continue;
    if (listed == kMostPotential) {
      ++left;
      continue;
    }
    judge_.addPotential(buildPotentialViolation(forced, sites));
    ++listed;
  }
  if (left != 0)
    campaign_.addWarning(std::to_string(left) +
                         " more patterns that did not come about are not listed");
}

} // namespace heddle
