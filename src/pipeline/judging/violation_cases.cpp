#include "pipeline/judging/violation_cases.h"

#include "control/interrupt.h"
#include "pipeline/runs/cause.h"

#include <algorithm>
#include <cmath>

namespace heddle {
namespace {

constexpr size_t kMaxPotential = 100;
/// Failures that runs without a pattern must let expect before their absence says anything: with
/// three, chance alone leaves them out in one of twenty cases.
constexpr double kExpectedFailures = 3;

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

/// What patterns of one bug have in common: the units, the set, and what is broken in it: the
/// failure, or where there is none the members.
std::string nameOfBug(const ViolationCase& violation) {
  const Candidate& candidate = violation.forced->candidate;
  const SiteCatalog* sites = violation.run.record.sites.get();
  std::set<std::string> units;
  for (size_t i = candidate.sides.size() - 2; i < candidate.sides.size(); ++i) {
    const SiteEntry* entry = sites ? sites->find(candidate.sides[i].site) : nullptr;
    units.insert(entry ? entry->linkageName : std::to_string(raw(candidate.sides[i].site)));
  }
  std::string name = candidate.pattern.set + (candidate.pattern.declared ? " declared" : "");
  for (const std::string& unit : units)
    name += " " + unit;
  if (violation.harmful)
    return name + " fails: " + causeOf(violation.run);
  for (const std::string& member :
       std::set<std::string>{candidate.pattern.members[0], candidate.pattern.members[1]})
    name += " " + member;
  return name;
}

/// The case of one violation.
class ViolationItem final : public Case {
public:
  ViolationItem(const ViolationCase& violation, int normalExitStatus)
      : violation_(violation), normalExitStatus_(normalExitStatus) {}

  const CapturedRun& run() const override { return violation_.run; }
  Keeps keeps() const override { return Keeps::Meeting; }
  const char* notShown() const override { return "the pattern was not completed"; }
  Finding describe(const CapturedRun& run, const RunRecord& replayed,
                   const RecordedRun* recorded) const override {
    return buildViolationFinding(evidenceOf(violation_), run, replayed, recorded,
                                 normalExitStatus_);
  }
  bool isShownBy(const RunRecord& recorded, const RunRecord&) const override {
    return recorded.meeting.has_value();
  }

private:
  const ViolationCase& violation_;
  int normalExitStatus_;
};

} // namespace

void ViolationCases::removeExplained(std::vector<CapturedRun>& failures) const {
  std::erase_if(failures,
                [&](const CapturedRun& failing) { return explained_.contains(causeOf(failing)); });
}

std::vector<CapturedRun> ViolationCases::failures() const {
  std::vector<CapturedRun> failures;
  for (const ForcedCandidate& forced : forcing_.forced())
    for (const auto& [cause, failure] : forced.failures)
      failures.push_back(failure.run);
  return failures;
}

void ViolationCases::Groups::add(ViolationCase violation) {
  auto [place, isNew] = byName.try_emplace(nameOfBug(violation), groups.size());
  if (isNew)
    groups.emplace_back();
  groups[place->second].push_back(std::move(violation));
}

Status ViolationCases::judge(bool notes, const std::set<std::string>& known) {
  DeferInterrupts defer;
  if (Status status = judge_.confirm(failures()); !status)
    return status;
  notes_ = notes;
  Groups groups;
  Status status = collect(known, groups);
  // What was judged before an error is kept all the same.
  for (Group& group : groups.groups)
    if (Status kept = keepGroup(group, /*unconfirmed=*/true); !kept)
      return kept;
  return status;
}

Status ViolationCases::collect(const std::set<std::string>& known, Groups& groups) {
  // Those with a failure first: of several patterns at the same lines the harmful one is shown.
  for (bool failing : {true, false}) {
    for (const ForcedCandidate& forced : forcing_.forced()) {
      if (forced.met == 0 || forced.leadsToFailure() != failing)
        continue;
      if (!failing && !notes_ && !forced.candidate.pattern.declared)
        continue;
      if (!failing && context_.budget.graceIsOver()) {
        unjudged_.insert(placeOf(forced.candidate, forced.sites()));
        continue;
      }
      auto violation = caseOf(forced, known);
      if (!violation && violation.error().isNotEnded() && !interrupted()) {
        context_.notes.addWarning(
            "there was no time to judge all patterns that were triggered: give more "
            "with --seconds");
        return Success{};
      }
      if (!violation)
        return violation.error();
      if (*violation)
        groups.add(std::move(**violation));
    }
  }
  return Success{};
}

Result<std::optional<ViolationCase>> ViolationCases::caseOf(const ForcedCandidate& forced,
                                                            const std::set<std::string>& known) {
  std::string place = placeOf(forced.candidate, forced.sites());
  if (judged_.contains(place))
    return std::optional<ViolationCase>();
  auto violation = judgeHarmOfPattern(
      forced, controls_, [&](const std::string& cause) { return isNeeded(forced, cause); });
  if (!violation)
    return violation.error();
  if (!violation->harmful && isCutShort(violation->run.record, forced.candidate))
    return std::optional<ViolationCase>(); // nothing shows that it was completed
  bool wanted = violation->harmful ? !known.contains(causeOf(violation->run))
                                   : notes_ || forced.candidate.pattern.declared;
  if (!wanted)
    return std::optional<ViolationCase>();
  judged_.insert(place);
  return std::optional(std::move(*violation));
}

Result<std::optional<CapturedRun>> ViolationCases::watch(const Candidate& pattern,
                                                         const CapturedRun& failing) {
  CapturedRun run = {{},          failing.schedule, failing.sites, failing.strategy, failing.index,
                     failing.test};
  Schedule& watched = run.schedule;
  std::vector<uint64_t>& sites = run.sites;
  // A run that was directed has preemptions at the sites of its own target.
  if (watched.target.kind != TargetKind::None) {
    watched.points = PointSet::Listed;
    watched.pointsName.clear();
    for (uint32_t i = 0; i < watched.target.roleCount; ++i)
      sites.push_back(raw(watched.target.roles[i].site));
    std::sort(sites.begin(), sites.end());
    sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
  }
  watched.target = targetOf(pattern);
  auto record = judge_.confirmation().replay(watched, sites, Until::StageEnd);
  if (!record)
    return record.error();
  if (record->result.outcome != failing.record.result.outcome || record->result.meetings == 0)
    return std::optional<CapturedRun>();
  watched.digest = record->result.digest;
  run.record = std::move(*record);
  return std::optional(std::move(run));
}

Result<bool> ViolationCases::isIn(const Candidate& pattern, const CapturedRun& failing) {
  auto watched = watch(pattern, failing);
  return watched ? Result(watched->has_value()) : watched.error();
}

/// A run that was forced is made shorter, but not always to the shortest that is known already.
Status ViolationCases::showIn(const ShortenedRun& shortest, const std::string& cause,
                              ViolationCase& violation) {
  if (shortest.run.record.result.preemptions >= violation.run.record.result.preemptions)
    return Success{};
  auto watched = watch(violation.forced->candidate, shortest.run);
  if (!watched)
    return watched.error();
  if (!*watched || !context_.notes.judgeEnd((*watched)->record) || causeOf(**watched) != cause)
    return Success{};
  keepPoints(context_, **watched);
  violation.run = std::move(**watched);
  violation.found = shortest.found;
  return Success{};
}

Result<bool> ViolationCases::wouldShowWithout(const ForcedCandidate& forced,
                                              const std::string& cause) {
  double share = forced.shareOf(cause);
  if (share <= 0)
    return false;
  FailureKind kind = forced.failures.at(cause).run.record.failure;
  // Who waits for ever was mostly preempted at a bad moment, which runs without preemption lack
  // whatever they tear.
  bool waits = kind == FailureKind::Deadlock || kind == FailureKind::Hang;
  auto wanted = static_cast<uint64_t>(std::ceil(kExpectedFailures / share));
  uint64_t known = waits ? 0 : kControlRuns; // judgeHarmOfPattern has seen them
  if (wanted <= known)
    return true;
  wanted -= known;
  if (wanted > kWitnessRuns)
    return false;
  auto without = controls_.randomRunsWithout(forced.candidate, wanted);
  return without ? Result(*without >= wanted) : without.error();
}

Result<bool> ViolationCases::isNeeded(const ForcedCandidate& forced, const std::string& cause) {
  auto tested = wouldShowWithout(forced, cause);
  if (!tested || !*tested)
    return tested;
  auto witnesses = controls_.witnesses(cause);
  if (!witnesses)
    return witnesses.error();
  for (const CapturedRun& witness : *witnesses) {
    auto shown = isIn(forced.candidate, witness);
    for (const ForcedCandidate& other : forcing_.forced()) {
      if (!shown || *shown || !other.leadsTo(cause))
        continue;
      shown = isIn(other.candidate, witness);
      if (!shown || !*shown)
        continue;
      // What was torn in the run of this pattern, too, explains that run as well as the witness.
      auto both = isIn(other.candidate, forced.failures.at(cause).run);
      shown = both ? Result(!*both) : both;
    }
    if (!shown || !*shown)
      return shown;
  }
  return true;
}

Status ViolationCases::judgeCause(const ForcedCandidate& forced, const std::string& cause,
                                  const ShortenedRun& shortest) {
  DeferInterrupts defer;
  auto violation =
      judgeHarmOfPattern(forced, controls_, [&](const std::string& other) -> Result<bool> {
        return other == cause ? isNeeded(forced, cause) : Result(false);
      });
  if (!violation)
    return violation.error();
  if (!violation->harmful)
    return Success{};
  judged_.insert(placeOf(forced.candidate, forced.sites()));
  if (Status status = showIn(shortest, cause, *violation); !status)
    return status;
  Group group{std::move(*violation)};
  // Without the time to confirm it, the failure alone is worth more.
  return keepGroup(group, /*unconfirmed=*/false);
}

Status ViolationCases::keepGroup(Group& group, bool unconfirmed) {
  // What fails most often is nearest to the failure: a pattern around another one leads to it, too,
  // but not each time. Of equal ones the simplest.
  std::multimap<std::pair<double, uint32_t>, const ViolationCase*> bestFirst;
  for (const ViolationCase& violation : group) {
    double share = violation.harmful ? violation.forced->shareOf(causeOf(violation.run)) : 0;
    bestFirst.emplace(std::pair(-share, violation.forced->candidate.pattern.number), &violation);
  }
  for (auto [rank, violation] : bestFirst)
    if (Status status = keepOne(*violation, unconfirmed); !status)
      return status;
  return Success{};
}

Status ViolationCases::keepOne(const ViolationCase& violation, bool unconfirmed) {
  ViolationItem item(violation, context_.notes.normalExitStatus());
  auto verdict = judge_.confirm(item, [&] {
    if (unconfirmed)
      judge_.keepUnconfirmed(item);
  });
  if (!verdict || !*verdict)
    return verdict ? Status(Success{}) : Status(verdict.error());
  Finding shown = item.describe(violation.run, (*verdict)->replayed, nullptr);
  // Somebody who does not want to hear of a violation has not said so of the failure: it is
  // reported without its cause.
  if (context_.suppressions.suppress(shown))
    return Success{};
  std::string bug = nameOfBug(violation);
  if (auto known = kept_.find(bug); known != kept_.end()) {
    judge_.findings().addRelated(known->second,
                                 relatedOf(violation.forced->candidate, violation.run, shown));
    return Success{};
  }
  auto finding = judge_.describe(item, **verdict);
  if (!finding)
    return finding.error();
  if (violation.found)
    finding->foundSwitches = violation.found;
  if (context_.suppressions.suppress(*finding)) // its stacks are known only now
    return Success{};
  judge_.findings().keep(*finding, (*verdict)->run);
  kept_[bug] = finding->id;
  if (violation.harmful)
    explained_.insert(causeOf(violation.run));
  return Success{};
}

void ViolationCases::addPotential(const SiteCatalog& sites) {
  std::set<std::string> known = judged_;
  size_t listed = 0;
  size_t left = 0;
  for (const ForcedCandidate& forced : forcing_.forced()) {
    std::string place = placeOf(forced.candidate, &sites);
    bool met = forced.met != 0;
    bool guessed = forced.candidate.count == 0 && !met; // nobody did all of it
    if (guessed || (met && !unjudged_.contains(place)) || !known.insert(place).second)
      continue;
    if (listed == kMaxPotential) {
      ++left;
      continue;
    }
    Finding finding = buildPotentialViolation(evidenceOf(forced), sites);
    if (met)
      finding.notes.push_back(kNotKeptNote);
    judge_.findings().addPotential(std::move(finding));
    ++listed;
  }
  if (left != 0)
    context_.notes.addWarning(std::to_string(left) +
                              " more patterns that were not triggered are not listed");
}

} // namespace heddle
