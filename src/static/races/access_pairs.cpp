#include "static/races/access_pairs.h"

#include "static/races/descriptions.h"

#include <set>

using namespace llvm;

namespace heddle::analysis {
namespace {

/// An operation on a lock or condition, in its circumstances.
struct SyncRecord {
  const CallBase* call;
  uint32_t activation;
  LocationId location;
  AliveId alive;
};

class PairFinder {
public:
  PairFinder(RacePairs& races, const Analyses& analyses)
      : races_(races), analyses_(analyses), words_(analyses) {}

  std::vector<AccessPair> find() && {
    for (const auto& [object, records] : races_.byObject())
      pairAccesses(records);
    for (uint32_t i = 0; i < analyses_.activations.all().size(); ++i)
      collectSync(i);
    pairSync(AccessPairKind::LockLock, locks_, locks_);
    pairSync(AccessPairKind::WaitLock, waits_, locks_);
    pairSync(AccessPairKind::WaitNotify, conditions_, notifies_);
    return std::move(found_);
  }

private:
  using ByObject = std::map<ObjectId, std::vector<SyncRecord>>;

  void pairAccesses(const std::vector<AccessRecord>& records) {
    for (size_t i = 0; i < records.size(); ++i)
      for (size_t j = i; j < records.size(); ++j) {
        const AccessRecord& one = records[i];
        const AccessRecord& other = records[j];
        bool writes = analyses_.sites[one.site].isWrite() || analyses_.sites[other.site].isWrite();
        if (!writes || one.fresh || other.fresh || !races_.overlaps(one, other) ||
            !races_.mayMeet(one, other))
          continue;
        AccessPair pair;
        pair.first = side(one);
        pair.second = side(other);
        pair.object = analyses_.sites[one.site].object.str();
        pair.disjoint = races_.commonLock(one, other) != nullptr;
        add(std::move(pair));
      }
  }

  AccessPairSide side(const AccessRecord& record) const {
    const AccessSite& site = analyses_.sites[record.site];
    AccessPairSide result = place(*site.instruction, record.activation);
    result.site.site = site.identity;
    result.access = accessName(site);
    return result;
  }

  AccessPairSide place(const Instruction& at, uint32_t activation) const {
    AccessPairSide result;
    const Activation& circumstances = analyses_.activations.all()[activation];
    result.thread = circumstances.thread;
    if (circumstances.userCall)
      result.site.caller = callSite(*circumstances.userCall).identity;
    result.location = locate(words_.shown(at, activation));
    result.context = words_.callPath(at, activation);
    return result;
  }

  // --- locks and conditions

  void collectSync(uint32_t index) {
    const Activation& activation = analyses_.activations.all()[index];
    for (const CallOp& call : analyses_.pointsTo.instance(activation.instance).body->calls) {
      if (!call.model || analyses_.graph.isCleanup(*call.instruction->getParent()))
        continue;
      const ExternalModel& model = *call.model;
      switch (model.effect) {
      case Effect::LockExclusive:
      case Effect::LockShared:
      case Effect::TryLockExclusive:
      case Effect::TryLockShared:
        note(locks_, index, call, pointees(activation, call, model.a));
        break;
      case Effect::LockAll:
        for (size_t i = 0; i < call.arguments.size(); ++i)
          note(locks_, index, call, pointees(activation, call, static_cast<int8_t>(i)));
        break;
      case Effect::Wait:
        note(conditions_, index, call, pointees(activation, call, model.a));
        note(waits_, index, call, pointees(activation, call, model.b));
        break;
      case Effect::StdWait:
        note(conditions_, index, call, pointees(activation, call, model.a));
        for (uint32_t lock : pointees(activation, call, model.b)) // it begins with its mutex
          note(waits_, index, call, analyses_.pointsTo.contents(static_cast<LocationId>(lock)));
        break;
      case Effect::Notify:
        note(notifies_, index, call, pointees(activation, call, model.a));
        break;
      default:
        break;
      }
    }
  }

  std::span<const uint32_t> pointees(const Activation& activation, const CallOp& call,
                                     int8_t argument) const {
    if (argument < 0 || static_cast<size_t>(argument) >= call.arguments.size())
      return {};
    return analyses_.pointsTo.pointees(activation.instance, call.arguments[argument]);
  }

  void note(ByObject& records, uint32_t index, const CallOp& call,
            std::span<const uint32_t> places) {
    const Activation& activation = analyses_.activations.all()[index];
    AliveId alive = analyses_.activations.idOf(analyses_.parallel.aliveAt(
        activation.instance, analyses_.activations.alive(activation.alive), *call.instruction));
    for (uint32_t place : places) {
      auto location = static_cast<LocationId>(place);
      ObjectId object = analyses_.pointsTo.location(location).object;
      if (analyses_.escape.escapes(object))
        records[object].push_back({call.instruction, index, location, alive});
    }
  }

  void pairSync(AccessPairKind kind, const ByObject& firsts, const ByObject& seconds) {
    for (const auto& [object, records] : firsts) {
      auto others = seconds.find(object);
      if (others == seconds.end())
        continue;
      for (const SyncRecord& one : records)
        for (const SyncRecord& other : others->second)
          if (mayMeet(one, other) && overlap(analyses_.pointsTo.location(one.location),
                                             analyses_.pointsTo.location(other.location)))
            addSync(kind, one, other);
    }
  }

  bool mayMeet(const SyncRecord& one, const SyncRecord& other) const {
    AccessRecord first{0, one.activation, one.location, LockSetId::Empty, one.alive, false};
    AccessRecord second{0, other.activation, other.location, LockSetId::Empty, other.alive, false};
    return races_.mayMeet(first, second);
  }

  void addSync(AccessPairKind kind, const SyncRecord& one, const SyncRecord& other) {
    AccessPair pair;
    pair.kind = kind;
    pair.first = place(*one.call, one.activation);
    pair.second = place(*other.call, other.activation);
    pair.first.site.site = callSite(*one.call).identity;
    pair.second.site.site = callSite(*other.call).identity;
    pair.first.access = kind == AccessPairKind::LockLock ? "lock" : "wait";
    pair.second.access = kind == AccessPairKind::WaitNotify ? "notify" : "lock";
    pair.object = words_.objectName(one.location);
    add(std::move(pair));
  }

  /// Each pair of threads and places once; of those that locks keep apart on one way and not on
  /// another the one that they do not.
  void add(AccessPair pair) {
    bool symmetric =
        pair.kind == AccessPairKind::ReadWrite || pair.kind == AccessPairKind::LockLock;
    auto key = [](const AccessPairSide& side) { return std::pair(side.thread, side.site); };
    if (symmetric && key(pair.second) < key(pair.first))
      std::swap(pair.first, pair.second);
    auto [entry, isNew] =
        known_.try_emplace({pair.kind, key(pair.first), key(pair.second)}, found_.size());
    if (isNew)
      found_.push_back(std::move(pair));
    else
      found_[entry->second].disjoint &= pair.disjoint;
  }

  using SideKey = std::pair<unsigned, CandidateSide>;

  RacePairs& races_;
  const Analyses& analyses_;
  Descriptions words_;
  ByObject locks_, waits_, conditions_, notifies_;
  std::map<std::tuple<AccessPairKind, SideKey, SideKey>, size_t> known_;
  std::vector<AccessPair> found_;
};

} // namespace

std::vector<AccessPair> findAccessPairs(RacePairs& races, const Analyses& analyses) {
  return PairFinder(races, analyses).find();
}

} // namespace heddle::analysis
