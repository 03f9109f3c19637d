#include "static/race_findings.h"

#include "model/site_catalog.h"

#include "llvm/IR/DebugInfoMetadata.h"

#include <fmt/format.h>

using namespace llvm;

namespace heddle::analysis {
namespace {

heddle::Location locate(const Instruction& instruction) {
  heddle::Location location;
  location.function = demangle(instruction.getFunction()->getName().str());
  if (const DILocation* debug = instruction.getDebugLoc()) {
    location.file = debug->getFilename().str();
    location.line = debug->getLine();
    location.column = debug->getColumn();
  }
  return location;
}

class Describer {
public:
  explicit Describer(const RaceFacts& facts) : facts_(facts) {}

  StaticRace describe(const RacePair& pair) {
    StaticRace race;
    race.finding.kind = FindingKind::DataRace;
    race.finding.sites = {side(pair.first), side(pair.second)};
    race.finding.threads = {thread(pair.first), thread(pair.second)};
    if (racesFirst(race.finding.sites[1], race.finding.sites[0])) {
      std::swap(race.finding.sites[0], race.finding.sites[1]);
      std::swap(race.finding.threads[0], race.finding.threads[1]);
    }
    race.finding.message = message(race.finding.sites);
    race.finding.notes.push_back(objectNote(pair.first.location));
    race.finding.id = fingerprint(race.finding);
    race.candidate.kind = TargetKind::Race;
    race.candidate.sides = {candidateSide(pair.first), candidateSide(pair.second)};
    std::sort(race.candidate.sides.begin(), race.candidate.sides.end());
    race.candidate.origin = "static";
    race.finding.candidate = candidateName(race.candidate);
    return race;
  }

private:
  const Activation& activation(const AccessRecord& record) const {
    return facts_.activations.all()[record.activation];
  }

  /// Where a person looks: in the program's own code.
  const Instruction& shown(const AccessRecord& record) const {
    const CallBase* call = activation(record).userCall;
    return call ? *call : *facts_.sites[record.site].instruction;
  }

  FindingSite side(const AccessRecord& record) const {
    const AccessSite& site = facts_.sites[record.site];
    FindingSite result;
    result.location = locate(shown(record));
    result.linkageName = shown(record).getFunction()->getName().str();
    // In the id an access that a call makes differs from one that the function makes itself.
    if (const Function* function = site.instruction->getFunction();
        function != shown(record).getFunction())
      result.linkageName += " " + function->getName().str();
    result.access = site.isAtomic()  ? "atomic"
                    : site.frees     ? "free"
                    : site.isWrite() ? "write"
                                     : "read";
    result.object = site.object.str();
    const CallBase* call = activation(record).userCall;
    result.ordinal = call ? callSite(*call).ordinal : site.ordinal;
    result.thread = activation(record).thread;
    result.size = site.size;
    result.stack = callPath(record);
    for (const HeldLock& lock : facts_.activations.lockSet(record.locks))
      if (!lock.handOver)
        result.held.push_back(lockName(lock));
    return result;
  }

  Stack callPath(const AccessRecord& record) const {
    Stack stack;
    stack.push_back(locate(*facts_.sites[record.site].instruction));
    uint32_t index = record.activation;
    while (facts_.activations.all()[index].call) {
      stack.push_back(locate(*facts_.activations.all()[index].call));
      index = facts_.activations.all()[index].parent;
    }
    return stack;
  }

  std::string lockName(const HeldLock& lock) const {
    std::string name = lock.location == LocationId::None ? "a lock" : objectName(lock.location);
    return lock.exclusive ? name : name + " for reading";
  }

  std::string objectName(LocationId id) const {
    const Object& object = facts_.pointsTo.objectOf(id);
    std::string name;
    if (object.kind == ObjectKind::Global)
      name = demangle(object.site->getName().str());
    else if (auto* site = dyn_cast<Instruction>(object.site)) {
      heddle::Location at = locate(*site);
      name = (object.type && !object.type->getName().empty() ? object.type->getName().str()
              : object.kind == ObjectKind::Local             ? "local"
                                                             : "object") +
             (at.line ? fmt::format(" of {}:{}", at.file, at.line) : " in " + at.function);
    }
    uint32_t offset = facts_.pointsTo.location(id).offset;
    return offset ? fmt::format("{} + {}", name, offset) : name;
  }

  ThreadInfo thread(const AccessRecord& record) const {
    ThreadInfo info;
    info.index = activation(record).thread;
    const Thread& thread = facts_.threads.all()[info.index];
    if (thread.creation) {
      info.createdAt.push_back(locate(*thread.creation));
      info.name = demangle(facts_.pointsTo.instance(thread.entry).body->function->getName().str());
    } else {
      info.name = "main";
    }
    return info;
  }

  static std::string message(const std::vector<FindingSite>& sites) {
    const FindingSite& other = sites[1];
    std::string what = sites[0].object.empty() ? other.object : sites[0].object;
    return fmt::format(
        "possible data race{} with {} at {}:{}: no common lock, and nothing keeps the "
        "threads apart",
        what.empty() ? "" : " on " + what, other.access, other.location.file, other.location.line);
  }

  std::string objectNote(LocationId location) const {
    const Object& object = facts_.pointsTo.objectOf(location);
    auto* site = dyn_cast<Instruction>(object.site);
    if (!site)
      return "the memory is " + objectName(location);
    heddle::Location at = locate(*site);
    return fmt::format("the memory is {} {}:{}",
                       object.kind == ObjectKind::Heap ? "allocated at" : "a local of", at.file,
                       at.line);
  }

  CandidateSide candidateSide(const AccessRecord& record) const {
    CandidateSide side;
    side.site = facts_.sites[record.site].identity;
    if (const CallBase* call = activation(record).userCall)
      side.caller = callSite(*call).identity;
    return side;
  }

  const RaceFacts& facts_;
};

} // namespace

std::vector<StaticRace> describeRaces(const RacePairs& pairs, const RaceFacts& facts) {
  Describer describer(facts);
  std::vector<StaticRace> races;
  for (const RacePair& pair : pairs.pairs())
    races.push_back(describer.describe(pair));
  return races;
}

} // namespace heddle::analysis
