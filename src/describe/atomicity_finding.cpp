#include "describe/atomicity_finding.h"

#include "describe/finding_builder.h"
#include "describe/function_name.h"
#include "describe/object_names.h"
#include "describe/race_finding.h"
#include "describe/site_places.h"

#include <algorithm>
#include <set>

namespace heddle {
namespace {

/// What is no name of the source stands without quotes.
std::string quoted(const std::string& name) {
  return name.find(' ') == std::string::npos ? "`" + name + "`" : name;
}

std::string setWords(const PatternInfo& pattern) {
  if (pattern.globals)
    return pattern.set.empty() ? "" : " of " + pattern.set;
  return pattern.set.empty() ? " of one object" : " of " + pattern.set;
}

std::string bothMembers(const PatternInfo& pattern) {
  const std::string& one = pattern.members[0];
  if (one != pattern.members[1])
    return quoted(one) + " and " + quoted(pattern.members[1]);
  return one == kElement ? "two elements" : "two places in " + quoted(one);
}

/// The function whose entry this is.
std::string unitName(const SiteCatalog* sites, const CandidateSide& entry) {
  const SiteEntry* site = sites ? sites->find(entry.site) : nullptr;
  return site ? shortFunctionName(site->function) : "a function";
}

/// The accesses of the pattern; the entries of its units follow them.
size_t stepsOf(const Candidate& candidate) { return candidate.sides.size() - 2; }

/// The class of the members where it is not that of the set: of objects that the set's object owns.
std::string classOfMembers(const Candidate& candidate, const SiteCatalog* sites) {
  std::set<std::string> classes;
  for (size_t i = 0; i < stepsOf(candidate); ++i) {
    const SiteEntry* site = sites ? sites->find(candidate.sides[i].site) : nullptr;
    size_t end = site ? site->object.rfind("::") : std::string::npos;
    std::string member = end == std::string::npos ? "" : site->object.substr(end + 2);
    bool named = member == candidate.pattern.members[0] || member == candidate.pattern.members[1];
    classes.insert(named && !member.empty() ? site->object.substr(0, end) : "");
  }
  return classes.size() == 1 ? *classes.begin() : "";
}

std::string sentenceOf(const Candidate& candidate, const SiteCatalog* sites) {
  size_t steps = stepsOf(candidate);
  PatternInfo shown = candidate.pattern;
  std::string owner = shown.owned ? classOfMembers(candidate, sites) : "";
  if (!owner.empty())
    shown.set = owner;
  std::string u = unitName(sites, candidate.sides[steps]);
  std::string other = unitName(sites, candidate.sides[steps + 1]);
  return patternSentence(shown, u, other == u ? "another " + other : other);
}

void addEvidence(Finding& finding, const Evidence& evidence, const SiteCatalog* sites) {
  for (size_t i = stepsOf(evidence.candidate); i < evidence.candidate.sides.size(); ++i)
    if (const SiteEntry* entry = sites ? sites->find(evidence.candidate.sides[i].site) : nullptr)
      finding.units.push_back(entry->linkageName);
  finding.pattern = evidence.candidate.pattern.number;
  finding.inferred = !evidence.candidate.pattern.declared;
  finding.candidates = {candidateName(evidence.candidate)};
  finding.probability = evidence.probability;
  if (evidence.thrashings != 0)
    finding.notes.push_back(std::to_string(evidence.thrashings) + " times in " +
                            std::to_string(evidence.runs) +
                            " forced runs a thread had to be let go: nobody else could run");
}

FindingSite siteOfCandidate(const SiteCatalog& sites, const CandidateSide& side) {
  FindingSite site;
  const SiteEntry* entry = sites.find(side.site);
  if (!entry)
    return site;
  site.location = locationOf(*entry);
  site.linkageName = entry->linkageName;
  site.access = accessOf(*entry, WaitKind::None);
  site.object = entry->object;
  site.ordinal = entry->ordinal;
  site.size = entry->size;
  return site;
}

/// The failure ended the run before the last access of the pattern.
void addMissingSite(Finding& finding, const Candidate& candidate, const RunRecord& record) {
  const SiteCatalog* sites = record.sites.get();
  size_t last = stepsOf(candidate) - 1;
  bool byOther = isInterleaved(candidate.pattern.number);
  const CandidateSide& entry = candidate.sides[last + (byOther ? 2 : 1)];
  if (sites) {
    finding.sites.push_back(siteOfCandidate(*sites, candidate.sides[last]));
    finding.sites.back().thread = record.meeting->sides[byOther ? 1 : 0].thread;
  }
  finding.notes.push_back("the failure came before the last access of the pattern, which " +
                          unitName(sites, entry) + " was still to make");
}

} // namespace

bool isCutShort(const RunRecord& record, const Candidate& candidate) {
  return record.meeting && record.meeting->sideCount < stepsOf(candidate);
}

std::string patternSentence(const PatternInfo& pattern, const std::string& u,
                            const std::string& other) {
  std::string one = quoted(pattern.members[0]) + setWords(pattern);
  std::string both = bothMembers(pattern) + setWords(pattern);
  switch (pattern.number) {
  case 1:
    return u + " reads " + one + " and writes it later, and " + other +
           " writes it in between: what is written comes from a stale value";
  case 2:
    return u + " reads " + one + " twice, and " + other +
           " writes it in between: the two reads differ";
  case 3:
    return u + " writes " + one + " twice, and " + other +
           " reads it in between: an intermediate state is seen";
  case 4:
    return u + " writes " + one + " and reads it again, and " + other +
           " writes it in between: what is read is not what was written";
  case 5:
    return u + " writes " + one + " twice, and " + other +
           " writes it in between: what is written in between is lost";
  case 6:
    return both + " are written apart in " + u + ", and " + other +
           " replaces both in between: one keeps the new value and the other one does not";
  case 7:
    return both + " are written by " + u + " and by " + other +
           " in opposite order: each of them has the last word on one";
  case 8:
    return both + " are written apart in " + u + ", and " + other +
           " reads both in between: it sees one new and one old value";
  case 9:
    return both + " are read apart in " + u + ", and " + other +
           " replaces both in between: one value is old and the other one new";
  case 10:
    return both + " are read apart in " + u + ", and " + other +
           " has written only the second one by then: the values do not belong together";
  case 11:
    return both + " are written apart in " + u + ", and " + other +
           " reads the second one before and the first one after: the values do not belong "
           "together";
  default:
    return "";
  }
}

Finding buildViolationFinding(const Evidence& evidence, const CapturedRun& run,
                              const RunRecord& replayed, const RecordedRun* recorded,
                              int normalExitStatus) {
  std::optional<RecordedRun> cut;
  if (recorded && !evidence.harmful)
    cut = untilMeeting(*recorded);
  const RecordedRun* shown = cut ? &*cut : recorded;
  Finding finding = buildFinding(run, replayed, shown, normalExitStatus);
  if (!evidence.harmful)
    finding.failure.reset();
  finding.kind = FindingKind::AtomicityViolation;
  finding.status = evidence.harmful ? FindingStatus::Harmful : FindingStatus::Confirmed;
  const RunRecord& record = recorded ? recorded->record : replayed;
  ObjectNames objects = recorded ? nameObjects(*recorded) : ObjectNames();
  finding.sites.clear();
  if (record.meeting)
    for (uint32_t i = 0; i < std::min(record.meeting->sideCount, kMaxRoles); ++i)
      finding.sites.push_back(siteOfMeeting(record, objects, record.meeting->sides[i]));
  if (isCutShort(record, evidence.candidate))
    addMissingSite(finding, evidence.candidate, record);
  finding.message = sentenceOf(evidence.candidate, record.sites.get());
  if (finding.failure)
    finding.message += "; it leads to: " + finding.failure->message;
  addEvidence(finding, evidence, record.sites.get());
  if (evidence.harmful) {
    finding.count = evidence.failures;
    finding.notes.push_back("the failure is absent in " + std::to_string(evidence.controlRuns) +
                            " runs without preemption in which the units do not mix");
  }
  finding.id = fingerprint(finding);
  finding.replay = "heddle replay " + finding.id;
  return finding;
}

RelatedPattern relatedOf(const Candidate& candidate, const CapturedRun& run,
                         const Finding& finding) {
  RelatedPattern related;
  related.id = finding.id;
  related.status = finding.status;
  related.pattern = finding.pattern;
  related.message = sentenceOf(candidate, run.record.sites.get());
  related.sites = finding.sites;
  related.probability = finding.probability;
  related.candidates = finding.candidates;
  return related;
}

Finding buildPotentialViolation(const Evidence& evidence, const SiteCatalog& sites) {
  Finding finding;
  finding.kind = FindingKind::AtomicityViolation;
  finding.status = FindingStatus::Potential;
  finding.origin = FindingOrigin::Prediction;
  AccessPattern pattern = patternOf(targetOf(evidence.candidate));
  for (uint32_t i = 0; i < pattern.stepCount; ++i) {
    const CandidateSide& side = evidence.candidate.sides[i];
    if (sites.find(side.site))
      finding.sites.push_back(siteOfCandidate(sites, side));
  }
  std::string runs = std::to_string(evidence.runs) + " runs that tried";
  std::string outcome = "not tried";
  if (evidence.met != 0)
    outcome = "it was triggered in " + std::to_string(evidence.met) + " of " + runs;
  else if (evidence.runs != 0)
    outcome = "it was not triggered in " + runs;
  finding.message = "possible: " + sentenceOf(evidence.candidate, &sites) + "; " + outcome;
  addEvidence(finding, evidence, &sites);
  finding.id = fingerprint(finding);
  return finding;
}

} // namespace heddle
