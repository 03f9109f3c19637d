#include "static/races/race_findings.h"

#include "static/ir/standard_library.h"
#include "static/program/harness.h"
#include "static/races/descriptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace llvm;

namespace heddle::analysis {
namespace {

// Reports say that there are more.
constexpr size_t kMaxPathsOfASide = 16;
constexpr size_t kMaxPathPairs = 64;

class Describer {
public:
  Describer(const Analyses& analyses, const FindingOptions& options)
      : analyses_(analyses), options_(options), words_(analyses) {}

  StaticRace describe(const RacePair& pair) const {
    StaticRace race;
    RacePair sides = pair;
    race.finding.kind = FindingKind::DataRace;
    race.finding.sites = {side(pair.first), side(pair.second)};
    if (racesFirst(race.finding.sites[1], race.finding.sites[0])) {
      std::swap(sides.first, sides.second);
      std::swap(race.finding.sites[0], race.finding.sites[1]);
    }
    race.finding.threads = {thread(sides.first)};
    if (threadOf(sides.second) != threadOf(sides.first))
      race.finding.threads.push_back(thread(sides.second));
    race.finding.message = message(race.finding);
    race.finding.notes = {whyUnprotected(sides), memoryNote(sides.first)};
    race.finding.id = fingerprint(race.finding);
    race.finding.origin = FindingOrigin::Source;
    race.finding.group =
        options_.groupByObject ? words_.memoryName(sides.first.location) : fieldName(race.finding);
    addCandidate(race, sidesOf(pair));
    race.score = score(sides);
    addPaths(race, pair);
    return race;
  }

  static void addCandidate(StaticRace& race, std::vector<CandidateSide> sides) {
    Candidate candidate;
    candidate.kind = TargetKind::Race;
    candidate.sides = std::move(sides);
    candidate.origin = "static";
    race.finding.candidates.push_back(candidateName(candidate));
    race.candidates.push_back(std::move(candidate));
  }

  /// What a user can tell apart: two places in the program's own code, and the memory.
  using Place = std::tuple<std::string, unsigned, unsigned>;
  using Meeting = std::tuple<Place, Place, std::string>;
  Meeting meetingOf(const RacePair& pair) const {
    Place one = placeOf(pair.first);
    Place other = placeOf(pair.second);
    if (other < one)
      std::swap(one, other);
    return {std::move(one), std::move(other), words_.memoryPlace(pair.first.location)};
  }
  bool isInLibrary(const RacePair& pair) const {
    return activation(pair.first).userCall && activation(pair.second).userCall;
  }

  /// One more pair of a meeting that is described already: the one that says most is shown.
  void addToMeeting(StaticRace& race, const RacePair& pair) const {
    if (score(pair) <= race.score) {
      addCandidate(race, sidesOf(pair));
      return addPaths(race, pair);
    }
    StaticRace better = describe(pair);
    for (const Candidate& candidate : race.candidates)
      addCandidate(better, candidate.sides);
    bool swapped = placeOf(better.finding.sites[0]) != placeOf(race.finding.sites[0]);
    for (PathPair& path : race.finding.paths) {
      if (swapped)
        std::swap(path.first, path.second);
      if (better.finding.paths.size() < kMaxPathPairs)
        better.finding.paths.push_back(std::move(path));
    }
    race = std::move(better);
  }

  static void noteFurther(StaticRace& race) {
    if (size_t further = race.candidates.size() - 1)
      race.finding.notes.push_back(
          fmt::format("{} more {} of accesses in these two calls meet on this memory", further,
                      further == 1 ? "pair" : "pairs"));
  }

  std::vector<CandidateSide> sidesOf(const RacePair& pair) const {
    std::vector<CandidateSide> sides{candidateSide(pair.first), candidateSide(pair.second)};
    std::sort(sides.begin(), sides.end());
    return sides;
  }

  /// The ways of one more pair of activations that get to the same two places.
  void addPaths(StaticRace& race, const RacePair& pair) const {
    if (!options_.everyPath || race.finding.paths.size() >= kMaxPathPairs)
      return;
    bool swapped = isSwapped(race.finding, pair);
    const AccessRecord& first = swapped ? pair.second : pair.first;
    const AccessRecord& second = swapped ? pair.first : pair.second;
    for (const CallPath& path : pathsTo(first))
      for (const CallPath& other : pathsTo(second))
        if (race.finding.paths.size() < kMaxPathPairs)
          race.finding.paths.push_back({path, other});
  }

private:
  /// Whether the pair's second access is at the place that the finding has first.
  bool isSwapped(const Finding& finding, const RacePair& pair) const {
    auto key = [](const FindingSite& site) {
      return std::tie(site.location.file, site.location.line, site.location.column,
                      site.linkageName, site.access, site.object, site.ordinal);
    };
    const FindingSite& shown = finding.sites[0];
    FindingSite one = side(pair.first), other = side(pair.second);
    if (key(shown) == key(one) || key(shown) == key(other))
      return key(shown) != key(one);
    return placeOf(shown) != placeOf(one); // of two calls of a library others of its accesses
  }

  static Place placeOf(const FindingSite& site) {
    return {site.location.file, site.location.line, site.location.column};
  }
  Place placeOf(const AccessRecord& record) const {
    heddle::Location location = locate(words_.shown(accessOf(record), record.activation));
    return {std::move(location.file), location.line, location.column};
  }
  const Activation& activation(const AccessRecord& record) const {
    return analyses_.activations.all()[record.activation];
  }
  uint32_t threadOf(const AccessRecord& record) const { return activation(record).thread; }
  const Instruction& accessOf(const AccessRecord& record) const {
    return *analyses_.sites[record.site].instruction;
  }

  FindingSite side(const AccessRecord& record) const {
    const AccessSite& site = analyses_.sites[record.site];
    const Instruction& shown = words_.shown(*site.instruction, record.activation);
    FindingSite result;
    result.location = locate(shown);
    result.linkageName = shown.getFunction()->getName().str();
    // In the id an access that a call makes differs from one that the function makes itself.
    if (const Function* function = site.instruction->getFunction(); function != shown.getFunction())
      result.linkageName += " " + function->getName().str();
    result.access = accessName(site);
    result.object = site.object.str();
    const CallBase* call = activation(record).userCall;
    if (call) {
      CallSite calling = callSite(*call);
      result.ordinal = calling.ordinal;
      if (!calling.object.empty())
        result.object = calling.object.str();
    } else {
      result.ordinal = site.ordinal;
    }
    result.thread = threadOf(record);
    result.size = site.size;
    result.stack = words_.callPath(*site.instruction, record.activation);
    result.held = words_.lockNames(record.locks);
    return result;
  }

  std::vector<CallPath> pathsTo(const AccessRecord& record) const {
    std::vector<CallPath> paths;
    for (Stack& stack : words_.callPaths(accessOf(record), record.activation, kMaxPathsOfASide))
      paths.push_back({threadOf(record), std::move(stack), words_.lockNames(record.locks)});
    return paths;
  }

  /// A thread is known by the program's own function that it runs first.
  ThreadInfo thread(const AccessRecord& record) const {
    ThreadInfo info = words_.thread(threadOf(record));
    if (info.createdAt.empty())
      return info;
    uint32_t index = record.activation;
    for (auto all = analyses_.activations.all(); all[index].call; index = all[index].parent)
      if (const Function& function = *all[index].call->getFunction(); !isLibrary(function))
        info.name = locate(*all[index].call).function;
    if (!activation(record).call)
      info.name = locate(accessOf(record)).function;
    if (analyses_.threads.all()[info.index].many)
      info.state = "one of several";
    return info;
  }

  static std::string fieldName(const Finding& finding) {
    const std::string& first = finding.sites[0].object;
    const std::string& second = finding.sites[1].object;
    return first.empty() ? second : first;
  }

  static std::string message(const Finding& finding) {
    std::string what = fieldName(finding);
    const FindingSite& other = finding.sites[1];
    return fmt::format("possible data race{} with {} at {}:{}: nothing orders the two",
                       what.empty() ? "" : " on " + what, other.access, other.location.file,
                       other.location.line);
  }

  /// What is wrong with the locks that are held.
  std::string whyUnprotected(const RacePair& pair) const {
    auto first = words_.lockNames(pair.first.locks);
    auto second = words_.lockNames(pair.second.locks);
    if (first.empty() && second.empty())
      return "neither side holds a lock";
    if (first.empty() || second.empty()) {
      const AccessSite& bare = analyses_.sites[(first.empty() ? pair.first : pair.second).site];
      return fmt::format("only one side holds a lock ({}): the {} holds none",
                         first.empty() ? second[0] : first[0], bare.isWrite() ? "write" : "read");
    }
    for (const HeldLock& one : analyses_.activations.lockSet(pair.first.locks))
      for (const HeldLock& other : analyses_.activations.lockSet(pair.second.locks))
        if (one.location != LocationId::None && one.location == other.location)
          return !one.exclusive && !other.exclusive
                     ? fmt::format("both sides hold {}, which lets both in", words_.lockName(one))
                     : fmt::format("both sides hold {}, but not always that of the same object",
                                   words_.lockName(one));
    return fmt::format("the sides hold different locks: {} and {}", first[0], second[0]);
  }

  std::string memoryNote(const AccessRecord& record) const {
    return "the memory: " + words_.memoryName(record.location);
  }

  /// What points at a bug rather than at a limit of the analysis.
  int score(const RacePair& pair) const {
    const Location& place = analyses_.pointsTo.location(pair.first.location);
    bool ownCode = !activation(pair.first).userCall && !activation(pair.second).userCall;
    bool locked = !words_.lockNames(pair.first.locks).empty();
    bool otherLocked = !words_.lockNames(pair.second.locks).empty();
    bool bothWrite =
        analyses_.sites[pair.first.site].isWrite() && analyses_.sites[pair.second.site].isWrite();
    int points = ownCode ? 4 : 0;
    points += locked != otherLocked ? 3 : 0; // there is a rule, and it is broken
    points += place.stride == 0 && analyses_.threads.isSingle(place.object) ? 2 : 0;
    points += bothWrite ? 1 : 0;
    return points;
  }

  CandidateSide candidateSide(const AccessRecord& record) const {
    CandidateSide side;
    side.site = analyses_.sites[record.site].identity;
    if (const CallBase* call = activation(record).userCall)
      side.caller = callSite(*call).identity;
    return side;
  }

  const Analyses& analyses_;
  const FindingOptions& options_;
  Descriptions words_;
};

/// Groups in the order of their best members, and members by theirs.
void rank(std::vector<StaticRace>& races) {
  std::map<std::string, int> best;
  for (const StaticRace& race : races) {
    auto [entry, isNew] = best.try_emplace(race.finding.group, race.score);
    entry->second = std::max(entry->second, race.score);
  }
  auto key = [&](const StaticRace& race) {
    const FindingSite& site = race.finding.sites[0];
    return std::tuple(-best[race.finding.group], std::string_view(race.finding.group), -race.score,
                      std::string_view(site.location.file), site.location.line,
                      site.location.column, std::string_view(race.finding.candidates[0]));
  };
  std::sort(races.begin(), races.end(),
            [&](const StaticRace& one, const StaticRace& other) { return key(one) < key(other); });
}

} // namespace

std::vector<StaticRace> describeRaces(const RacePairs& pairs, const Analyses& analyses,
                                      const FindingOptions& options) {
  Describer describer(analyses, options);
  std::vector<StaticRace> races;
  std::map<std::vector<CandidateSide>, size_t> known;
  std::map<Describer::Meeting, size_t> meetings;
  for (const RacePair& pair : pairs.pairs()) {
    analyses.graph.tick(races.size(), "findings");
    auto [entry, isNew] = known.try_emplace(describer.sidesOf(pair), races.size());
    if (!isNew) {
      describer.addPaths(races[entry->second], pair);
      continue;
    }
    // Two calls of a library can meet in hundreds of its lines: that is one race.
    if (describer.isInLibrary(pair)) {
      auto [meeting, isFirst] = meetings.try_emplace(describer.meetingOf(pair), races.size());
      if (!isFirst) {
        entry->second = meeting->second;
        describer.addToMeeting(races[meeting->second], pair);
        continue;
      }
    }
    races.push_back(describer.describe(pair));
  }
  for (StaticRace& race : races)
    describer.noteFurther(race);
  rank(races);
  return races;
}

} // namespace heddle::analysis
