#include "describe/race_finding.h"

#include "describe/finding_builder.h"
#include "describe/function_name.h"
#include "describe/meeting.h"
#include "describe/missing_order.h"
#include "describe/object_names.h"
#include "describe/operations.h"
#include "describe/site_places.h"
#include "model/library_paths.h"

#include <algorithm>
#include <tuple>

namespace heddle {
namespace {

std::string accessWords(const FindingSite& site) {
  std::string place = site.location.function.empty()      ? ""
                      : isLibraryPath(site.location.file) ? " in a library"
                                                          : " in " + site.location.function;
  return (site.access == "atomic" ? "atomic access" : site.access) + " by T" +
         std::to_string(site.thread) + place;
}

/// What the user's code calls it, if one of the sides does.
std::string objectOf(const std::vector<FindingSite>& sites) {
  for (const FindingSite& site : sites)
    if (!site.object.empty() && !site.object.starts_with("std::"))
      return site.object;
  return sites[0].object.empty() ? sites[1].object : sites[0].object;
}

std::string raceMessage(const std::vector<FindingSite>& sites) {
  std::string object = objectOf(sites);
  return "data race" + (object.empty() ? std::string() : " on " + object) + ": " +
         accessWords(sites[0]) + ", " + accessWords(sites[1]) + ", nothing orders them";
}

void addOrders(Finding& finding, const Evidence& evidence, unsigned siteOfFirstRole) {
  for (unsigned order = 0; order < 2; ++order) {
    const OrderTally& tally = evidence.orders[order];
    unsigned first = order == 0 ? siteOfFirstRole : 1 - siteOfFirstRole;
    finding.orders.push_back({first, tally.runs, tally.failures});
  }
}

void addHarmNote(Finding& finding, const Evidence& evidence) {
  if (!evidence.harmful)
    return;
  if (!evidence.failingOrder) {
    finding.notes.push_back("the failure happens when the accesses meet, and never in " +
                            std::to_string(evidence.controlRuns) + " runs without preemption and " +
                            std::to_string(evidence.controlRuns) +
                            " that switch at synchronisation operations only");
    return;
  }
  const OrderOutcome& fails = finding.orders[*evidence.failingOrder];
  const OrderOutcome& other = finding.orders[1 - *evidence.failingOrder];
  const FindingSite& first = finding.sites[fails.firstSite];
  finding.notes.push_back("fails when the " + accessWords(first) +
                          " comes first: " + std::to_string(fails.failures) + " of " +
                          std::to_string(fails.runs) + " runs; never the other way round, in " +
                          std::to_string(other.runs) + " runs");
}

/// Which of the two sides of the run's meeting came first, if that can be told.
std::optional<unsigned> firstSide(const RecordedRun& recorded) {
  bool whole = recorded.events.size() == recorded.totalEvents;
  return findMeeting(readOperations(recorded, {}), recorded.record, whole).first();
}

/// Who writes `volatile` often takes it for a promise about threads.
void addVolatileNote(Finding& finding, const RunRecord& record) {
  for (uint32_t i = 0; i < std::min(record.meeting->sideCount, kMaxRoles); ++i) {
    const SiteEntry* entry = record.siteEntry(static_cast<SiteId>(record.meeting->sides[i].site));
    if (!entry || !(entry->flags & kSiteVolatile))
      continue;
    std::string object = objectOf(finding.sites);
    finding.notes.push_back((object.empty() ? "the memory" : object) +
                            " is volatile, which orders nothing between threads: use an atomic "
                            "variable (std::atomic, in C _Atomic)");
    return;
  }
}

/// What a side of a candidate does; of calls only frees are accesses.
std::string candidateAccess(FindingKind kind, const SiteEntry& site) {
  if (kind == FindingKind::Deadlock)
    return "lock";
  return site.kind == SiteKind::Call ? "free" : accessOf(site, WaitKind::None);
}

/// What a call into code without hooks calls, as the source has it.
std::string unseenName(const SiteEntry& call) {
  if (call.flags & kSiteAssembly)
    return "the inline assembly at " + call.file + ":" + std::to_string(call.line);
  if (call.callee.empty())
    return "the function that is called at " + call.file + ":" + std::to_string(call.line);
  return shortFunctionName(demangle(call.callee));
}

/// Names the code that may order the sides, if there is any.
std::string unseenText(const Candidate& candidate, const SiteCatalog& sites) {
  const SiteEntry* release = sites.find(candidate.unseenRelease);
  const SiteEntry* acquire = sites.find(candidate.unseenAcquire);
  if (!release || !acquire)
    return {};
  std::string first = unseenName(*release);
  std::string second = unseenName(*acquire);
  bool one = first == second;
  return first + (one ? " is" : " and " + second + " are") +
         " code that heddle does not see, and may order them";
}

/// Why a candidate is only one, as far as it is known.
std::string whyPotential(const Evidence& evidence) {
  if (evidence.runs == 0)
    return "not tried";
  std::string runs = std::to_string(evidence.runs) + " runs that tried";
  return evidence.allReached ? "its sides were reached, but never at the same time, in " + runs
                             : "its sides were not all reached in " + runs;
}

} // namespace

RecordedRun untilMeeting(const RecordedRun& recorded) {
  RecordedRun cut = recorded;
  if (!recorded.record.meeting)
    return cut;
  const Meeting& meeting = *recorded.record.meeting;
  std::vector<uint32_t> seen(meeting.sideCount, 0);
  size_t end = 0;
  for (size_t i = 0; i < recorded.events.size(); ++i)
    for (uint32_t s = 0; s < meeting.sideCount; ++s) {
      const MeetingSide& side = meeting.sides[s];
      const Event& event = recorded.events[i];
      bool isAccess = event.site == side.site && event.thread == side.thread &&
                      static_cast<EventKind>(event.kind) == side.kind;
      if (!isAccess || ++seen[s] != side.occurrence)
        continue;
      end = i + 1;
      // What the end is about, as of a failure there.
      cut.record.thread = static_cast<ThreadIndex>(side.thread);
      cut.record.site = static_cast<SiteId>(side.site);
      cut.record.address = side.address;
    }
  // A value follows the access that it belongs to.
  while (end != 0 && end < cut.events.size() &&
         static_cast<EventKind>(cut.events[end].kind) == EventKind::Value)
    ++end;
  if (end != 0) {
    cut.totalEvents -= cut.events.size() - end;
    cut.events.resize(end);
  }
  return cut;
}

Finding buildRaceFinding(const Evidence& evidence, const CapturedRun& run,
                         const RunRecord& replayed, const RecordedRun* recorded,
                         int normalExitStatus) {
  std::optional<RecordedRun> cut;
  if (recorded && !evidence.harmful)
    cut = untilMeeting(*recorded);
  const RecordedRun* shown = cut ? &*cut : recorded;
  Finding finding = buildFinding(run, replayed, shown, normalExitStatus);
  if (!evidence.harmful)
    finding.failure.reset();
  finding.kind = FindingKind::DataRace;
  finding.status = evidence.harmful ? FindingStatus::Harmful : FindingStatus::Confirmed;
  const RunRecord& record = recorded ? recorded->record : replayed;
  ObjectNames objects = recorded ? nameObjects(*recorded) : ObjectNames();
  finding.sites.clear();
  unsigned siteOfFirstRole = 0;
  if (record.meeting && record.meeting->sideCount >= 2) {
    const MeetingSide* sides = record.meeting->sides;
    FindingSite one = siteOfMeeting(record, objects, sides[0]);
    FindingSite other = siteOfMeeting(record, objects, sides[1]);
    bool swapped = racesFirst(other, one);
    finding.sites = swapped ? std::vector{other, one} : std::vector{one, other};
    siteOfFirstRole = (sides[0].role == 0) != swapped ? 0 : 1;
    if (auto first = recorded ? firstSide(*recorded) : std::nullopt)
      finding.firstSite = swapped ? 1 - *first : *first;
    addVolatileNote(finding, record);
    finding.message = raceMessage(finding.sites);
    if (finding.failure)
      finding.message += "; it leads to: " + finding.failure->message;
  }
  finding.candidates = {candidateName(evidence.candidate)};
  finding.probability = evidence.probability;
  finding.count = evidence.failures;
  addOrders(finding, evidence, siteOfFirstRole);
  addHarmNote(finding, evidence);
  finding.id = fingerprint(finding);
  finding.replay = "heddle replay " + finding.id;
  return finding;
}

Finding buildPotentialFinding(const Evidence& evidence, const SiteCatalog& sites) {
  Finding finding;
  finding.kind =
      evidence.candidate.kind == TargetKind::Race ? FindingKind::DataRace : FindingKind::Deadlock;
  finding.status = FindingStatus::Potential;
  finding.origin = FindingOrigin::Prediction;
  for (const CandidateSide& side : evidence.candidate.sides) {
    const SiteEntry* entry = sites.find(side.site);
    const SiteEntry* caller = sites.find(side.caller);
    const SiteEntry* shown = caller ? caller : entry;
    if (!shown)
      continue;
    FindingSite site;
    site.location = locationOf(*shown);
    site.linkageName = shown->linkageName;
    site.access = candidateAccess(finding.kind, entry ? *entry : *shown);
    site.object = entry && !entry->object.empty() ? entry->object : shown->object;
    site.ordinal = shown->ordinal;
    site.size = entry ? entry->size : 0;
    finding.sites.push_back(std::move(site));
  }
  std::string what =
      finding.kind == FindingKind::DataRace ? "possible data race" : "locks are taken in a cycle";
  if (!finding.sites.empty() && !finding.sites[0].object.empty())
    what += " on " + finding.sites[0].object;
  for (size_t i = 1; i < finding.sites.size(); ++i)
    what += (i == 1 ? " with " : " and ") + finding.sites[i].access + " at " +
            finding.sites[i].location.file + ":" + std::to_string(finding.sites[i].location.line);
  finding.missingOrder = missingOrderOf(evidence.candidate, sites);
  finding.message =
      what + ": " +
      (finding.missingOrder ? missingOrderText(*finding.missingOrder) : whyPotential(evidence));
  if (std::string unseen = unseenText(evidence.candidate, sites); !unseen.empty())
    finding.message += "; " + unseen;
  finding.candidates = {candidateName(evidence.candidate)};
  finding.probability = 0;
  finding.id = fingerprint(finding);
  return finding;
}

} // namespace heddle
