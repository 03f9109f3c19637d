#include "pipeline/judging/findings.h"

#include "describe/finding_builder.h"
#include "model/shell_words.h"
#include "pipeline/judging/same_bug.h"
#include "pipeline/judging/stored_run.h"

#include <algorithm>

namespace heddle {
namespace {

/// Replays without the store: the schedule, and all that makes the program this one.
std::string replayCommand(const std::string& schedule, const Program& program) {
  std::string text = "heddle replay";
  for (const std::string& entry : program.environment)
    if (entry.starts_with(kStartsReadyVariable)) // nobody else would set it
      text += " --env=" + entry;
  text += " " + shellQuoted(schedule);
  for (const std::string& word : program.arguments)
    text += " " + shellQuoted(word);
  return text;
}

auto withId(std::vector<Finding>& findings, const std::string& id) {
  return std::find_if(findings.begin(), findings.end(),
                      [&](const Finding& finding) { return finding.id == id; });
}

} // namespace

bool Findings::contains(const std::string& id) const {
  return std::any_of(findings_.begin(), findings_.end(),
                     [&](const Finding& finding) { return finding.id == id; });
}

void Findings::keep(const Finding& finding, const CapturedRun& run) {
  if (context_.suppressions.suppress(finding))
    return;
  auto known = withId(findings_, finding.id);
  if (known == findings_.end())
    store(finding, run);
  else if (finding.status > known->status)
    replace(*known, finding, run);
}

std::optional<size_t> Findings::keepShortest(std::optional<size_t> known, const Finding& finding,
                                             const CapturedRun& run) {
  if (context_.suppressions.suppress(finding))
    return known;
  if (known) {
    replace(findings_[*known], finding, run);
    return known;
  }
  auto same = withId(findings_, finding.id);
  size_t place = static_cast<size_t>(same - findings_.begin());
  if (same == findings_.end())
    store(finding, run);
  return place;
}

void Findings::keepUnconfirmed(Finding finding, const CapturedRun& run) {
  finding.status = FindingStatus::Potential;
  // To write down and store the schedule of a long run takes a moment, which adds up.
  bool affordable = finding.failure || !context_.budget.graceIsOver();
  finding.notes.push_back(affordable ? kUnconfirmedNote : kNotKeptNote);
  if (affordable)
    keep(finding, run);
  else if (!contains(finding.id))
    addPotential(std::move(finding));
}

void Findings::addPotential(Finding finding) {
  finding.test = context_.program().test;
  if (!context_.suppressions.suppress(finding))
    findings_.push_back(std::move(finding));
}

void Findings::addRelated(const std::string& id, RelatedPattern related) {
  for (Finding& finding : findings_) {
    bool known = finding.id == related.id ||
                 std::any_of(finding.related.begin(), finding.related.end(),
                             [&](const RelatedPattern& one) { return one.id == related.id; });
    if (finding.id != id || known)
      continue;
    finding.related.push_back(related);
    changed_.insert(id); // finish() stores it
  }
}

void Findings::mergeSameBugs() {
  const std::vector<size_t> standing = representatives(findings_);
  std::vector<Finding> merged;
  for (size_t i = 0; i < findings_.size(); ++i) {
    if (standing[i] == i)
      continue;
    takeOver(findings_[standing[i]], findings_[i]);
    removeFromStore(findings_[i]);
  }
  for (size_t i = 0; i < findings_.size(); ++i)
    if (standing[i] == i)
      merged.push_back(std::move(findings_[i]));
  findings_ = std::move(merged);
}

void Findings::takeOver(Finding& finding, const Finding& other) {
  if (isFreedInRace(finding, other)) {
    finding.status = FindingStatus::Harmful;
    finding.notes.emplace_back("nothing orders the access and the free: it is a data race");
  }
  addRelated(finding.id, {other.id, other.status, other.pattern, other.message, other.sites,
                          other.probability, other.candidates});
  for (const RelatedPattern& related : other.related)
    addRelated(finding.id, related);
}

void Findings::removeFromStore(const Finding& finding) {
  changed_.erase(finding.id);
  if (!context_.store() || finding.schedule.empty())
    return;
  if (Status status = context_.store()->removeFinding(finding.id, context_.program().executable);
      !status)
    context_.notes.addWarning(status.error().message);
}

void Findings::store(const Finding& finding, const CapturedRun& run) {
  findings_.push_back(finding);
  addSchedule(findings_.back(), run);
  if (!context_.store()) {
    // An id that is kept nowhere replays nothing; the schedule does.
    findings_.back().replay = replayCommand(findings_.back().schedule, context_.program());
    return;
  }
  findings_.back().replay = storedReplay(context_, finding.id);
  Status status =
      context_.store()->addFinding(findings_.back(), storedRun(context_, command_, run));
  if (!status)
    context_.notes.addWarning("the finding " + finding.id +
                              " is not in the store: " + status.error().message);
}

void Findings::replace(Finding& known, const Finding& finding, const CapturedRun& run) {
  // The other places of a memory error are part of the id, and may differ.
  if (finding.id != known.id || finding.status < known.status)
    return;
  std::string replay = known.replay;
  known = finding;
  addSchedule(known, run);
  if (!context_.store()) {
    known.replay = replayCommand(known.schedule, context_.program());
    return;
  }
  known.replay = replay;
  StoredRun stored = storedRun(context_, command_, run);
  if (Status status = context_.store()->updateFinding(known, programOf(stored), &stored); !status)
    context_.notes.addWarning(status.error().message);
}

void Findings::addCount(size_t place, uint64_t runs) {
  if (runs == 0)
    return;
  findings_[place].count += runs;
  changed_.insert(findings_[place].id);
}

void Findings::finish() {
  for (Finding& finding : findings_) {
    if (finding.count > 1 && finding.kind != FindingKind::DataRace &&
        finding.kind != FindingKind::AtomicityViolation) // which has its orders
      finding.notes.push_back(std::to_string(finding.count) +
                              " runs failed from this cause; this is the one with the shortest "
                              "schedule");
    // What no run did is not stored, and what is stored already is not written again: the schedule
    // of a long run has megabytes.
    if (!context_.store() || finding.schedule.empty() || !changed_.contains(finding.id))
      continue;
    if (Status status = context_.store()->updateFinding(finding, context_.program().executable);
        !status)
      context_.notes.addWarning(status.error().message);
  }
}

} // namespace heddle
