#include "pipeline/judging/race_cases.h"

#include "control/interrupt.h"
#include "pipeline/candidates/suspects.h"
#include "pipeline/runs/cause.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle {
namespace {

constexpr size_t kMaxPotential = 200;
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

/// The case of one race.
class RaceItem final : public Case {
public:
  RaceItem(const RaceCase& race, int normalExitStatus)
      : race_(race), normalExitStatus_(normalExitStatus) {}

  const CapturedRun& run() const override { return race_.run; }
  Keeps keeps() const override { return Keeps::Meeting; }
  const char* notShown() const override { return "the accesses did not meet"; }
  Finding describe(const CapturedRun& run, const RunRecord& replayed,
                   const RecordedRun* recorded) const override {
    return buildRaceFinding(evidenceOf(race_), run, replayed, recorded, normalExitStatus_);
  }
  bool isShownBy(const RunRecord& recorded, const RunRecord&) const override {
    return recorded.meeting.has_value();
  }

private:
  const RaceCase& race_;
  int normalExitStatus_;
};

} // namespace

Status RaceCases::findCause(const CapturedRun& failing) {
  std::string cause = causeOf(failing);
  auto explains = [&](const ForcedCandidate& forced) { return forced.leadsTo(cause); };
  auto isExplained = [&] {
    return std::any_of(forcing_.forced().begin(), forcing_.forced().end(), explains);
  };
  if (isExplained() || !pursued_.insert(cause).second || context_.budget.mustEnd())
    return Success{};
  auto suspects = suspectsOf(context_, failing);
  if (!suspects)
    return suspects.error();
  for (const Candidate& suspect : *suspects) {
    auto outcome = forcing_.pursue(suspect);
    if (!outcome)
      return outcome.error();
    if (outcome->lost || isExplained() || context_.budget.mustEnd())
      break;
  }
  return Success{};
}

Status RaceCases::findCauses(const std::vector<CapturedRun>& failures) {
  StageLimit limit(context_.budget, shareOfTime(context_.budget, kCauseShare));
  for (const CapturedRun& failing : failures)
    if (Status status = findCause(failing); !status)
      return status;
  return Success{};
}

std::vector<CapturedRun> RaceCases::newFailures() {
  std::vector<CapturedRun> failures;
  for (const ForcedCandidate& forced : forcing_.forced())
    for (const auto& [cause, failure] : forced.failures)
      if (taken_.emplace(&forced, cause).second)
        failures.push_back(failure.run);
  return failures;
}

void RaceCases::collect(std::vector<CapturedRun>& failures) {
  std::vector<CapturedRun> forced = newFailures();
  failures.insert(failures.begin(), std::make_move_iterator(forced.begin()),
                  std::make_move_iterator(forced.end()));
}

Status RaceCases::explain(std::vector<CapturedRun>& failures, std::optional<double> seconds) {
  if (forcing_.forced().empty())
    return Success{};
  if (Status status = findCauses(failures); !status)
    return status;
  for (CapturedRun& failing : newFailures())
    failures.push_back(std::move(failing));
  DeferInterrupts defer;
  if (Status status = judgeRaces(seconds); !status)
    return status;
  std::erase_if(failures,
                [&](const CapturedRun& failing) { return explained_.contains(causeOf(failing)); });
  return Success{};
}

Status RaceCases::judgeRaces(std::optional<double> seconds) {
  std::map<Lines, Group> groups;
  std::vector<Lines> order; // of rank
  for (const ForcedCandidate& forced : forcing_.forced()) {
    if (forced.met == 0 || forced.candidate.kind != TargetKind::Race)
      continue;
    Lines lines = linesOf(forced.candidate, forced.sites());
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
    if (Status status = judgeGroup(groups[lines]); !status)
      return status;
  }
  return Success{};
}

void RaceCases::warnOfUnconfirmed() {
  if (unconfirmed_ != 0)
    context_.notes.addWarning(
        std::to_string(unconfirmed_) +
        " races were triggered, but there was no time to see them happen again" +
        (unconfirmed_ > kMaxPotential
             ? "; the first " + std::to_string(kMaxPotential) + " are listed"
             : "") +
        ": give more with --seconds");
}

void RaceCases::addPotential(const SiteCatalog& sites, bool withStatic) {
  std::set<std::set<std::string>> known;
  for (const ForcedCandidate& forced : forcing_.forced())
    if (forced.met != 0)
      known.insert(linesOf(forced.candidate, &sites));
  std::map<std::set<std::string>, const ForcedCandidate*> shown;
  std::vector<std::set<std::string>> order; // of rank
  for (const ForcedCandidate& forced : forcing_.forced()) {
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
  size_t listed = std::min(order.size(), kMaxPotential - std::min(known.size(), kMaxPotential));
  for (size_t i = 0; i < listed; ++i)
    judge_.findings().addPotential(buildPotentialFinding(evidenceOf(*shown[order[i]]), sites));
  size_t left = order.size() - listed;
  if (left != 0)
    context_.notes.addWarning(std::to_string(left) +
                              " more candidates that were not triggered are not "
                              "listed");
}

Result<std::optional<RaceCase>> RaceCases::bestCase(const Group& group,
                                                    std::set<std::string>& harm) {
  std::optional<RaceCase> best;
  for (const ForcedCandidate* forced : group) {
    if (best && !forced->failed() && (best->harmful || forced->met <= best->forced->met))
      continue;
    auto judged = judgeHarm(*forced, controls_);
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

Status RaceCases::judgeGroup(const Group& group) {
  std::set<std::string> harm;
  auto best = bestCase(group, harm);
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

void RaceCases::keepUnconfirmed(const Case& item) {
  if (++unconfirmed_ <= kMaxPotential)
    judge_.keepUnconfirmed(item);
}

Result<bool> RaceCases::judgeRace(const RaceCase& race, size_t pairs) {
  RaceItem item(race, context_.notes.normalExitStatus());
  auto verdict = judge_.confirm(item, [&] { keepUnconfirmed(item); });
  if (!verdict || !*verdict)
    return verdict ? Result(false) : verdict.error();
  auto finding = judge_.describe(item, **verdict);
  if (!finding)
    return finding.error();
  if (pairs > 1)
    finding->notes.push_back(std::to_string(pairs) + " pairs of accesses at these lines race");
  judge_.findings().keep(*finding, (*verdict)->run);
  return true;
}

} // namespace heddle
