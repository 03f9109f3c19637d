#include "static/races/race_pairs.h"

#include "static/ir/standard_library.h"

#include "model/ids.h"

#include <numeric>

using namespace llvm;

namespace heddle::analysis {
namespace {

// Of an object that one thread has for itself only the count of its pairs is of interest.
constexpr size_t kMaxPrivate = 200;
// Of two groups with more pairs each access is paired with a few of the other group.
constexpr size_t kMaxPairsOfGroups = 256;
constexpr size_t kFewPartners = 2;
// Pairs beyond these are counted without looking whether they were counted before.
constexpr size_t kMaxKnownPairs = 1000000;

} // namespace

RacePairs::RacePairs(const Analyses& analyses, bool everyWay)
    : analyses_(analyses), order_(analyses), everyWay_(everyWay) {
  collect();
  for (const auto& [object, records] : byObject_)
    pairUp(records, /*fresh=*/false);
  pairPublished();
  count();
}

void RacePairs::count() {
  std::vector<uint32_t> all;
  for (const Function& function : analyses_.module)
    if (hasBody(function) && !isLibrary(function))
      for (uint32_t site : analyses_.sites.accesses(function))
        if (!analyses_.sites[site].isAtomic() && isOwn(site))
          all.push_back(site);
  for (const auto& [object, places] : private_)
    for (auto one = places.begin(); one != places.end(); ++one)
      for (auto other = one; other != places.end(); ++other) {
        AccessRecord first{one->first, 0, one->second, {}, {}, false};
        AccessRecord second{other->first, 0, other->second, {}, {}, false};
        if ((analyses_.sites[first.site].isWrite() || analyses_.sites[second.site].isWrite()) &&
            overlaps(first, second))
          aliasing_.add(first.site, second.site);
      }
  stages_.unlocked = unlocked_.size();
  stages_.parallel = started_.size();
  stages_.join = unjoined_.size();
  stages_.slots = meeting_.size();
  stages_.escaping = escaping_.size();
  // What libraries do, and frees, count where several threads can reach the memory.
  uint64_t others = countOwn(escaping_, false);
  uint64_t aliasing = others + countOwn(aliasing_, true);
  std::vector<uint32_t> reached;
  copy_if(reached_, std::back_inserter(reached), [&](uint32_t site) { return isOwn(site); });
  // Names do not tell everything: unions and bit-fields share memory under several.
  stages_.reachable = std::max(aliasing, others + pairsByName(analyses_.sites, reached));
  stages_.original = std::max(stages_.reachable, others + pairsByName(analyses_.sites, all));
  stages_.aliasing = aliasing + aliasing_.further;
  // Beyond some number pairs are counted once for each object that they meet at.
  stages_.original = std::max(stages_.original, stages_.aliasing);
  stages_.reachable = std::max(stages_.reachable, stages_.aliasing);
}

/// Whether the access stands in the program's own code and names a member or variable; a free
/// concerns a whole object.
bool RacePairs::isOwn(uint32_t site) const {
  auto [known, isNew] = own_.try_emplace(site, false);
  return isNew ? known->second = findOwn(site) : known->second;
}

bool RacePairs::findOwn(uint32_t site) const {
  return !analyses_.sites[site].frees &&
         !isLibrary(*analyses_.sites[site].instruction->getFunction());
}

void RacePairs::note(SitePairs& pairs, const Group& one, const Group& other) {
  uint64_t count = &one == &other ? one.members.size() * (one.members.size() + 1) / 2
                                  : one.members.size() * other.members.size();
  if (pairs.known.size() + count > kMaxKnownPairs) {
    pairs.further += count;
    return;
  }
  for (const AccessRecord& first : one.members)
    for (const AccessRecord& second : other.members)
      pairs.add(first.site, second.site);
}

/// How many are of two accesses that stand in the program's own code, or the others.
uint64_t RacePairs::countOwn(const SitePairs& pairs, bool own) const {
  uint64_t count = 0;
  for (uint64_t pair : pairs.known)
    count += (isOwn(pair >> 32) && isOwn(static_cast<uint32_t>(pair))) == own;
  return count;
}

/// A pointer that threads read and write without order publishes nothing: what was done to its
/// object before is then as little ordered.
void RacePairs::pairPublished() {
  BitVector seen(analyses_.pointsTo.objectCount());
  std::vector<ObjectId> stack;
  auto follow = [&](LocationId location) {
    for (uint32_t content : analyses_.pointsTo.contents(location)) {
      ObjectId object = analyses_.pointsTo.location(static_cast<LocationId>(content)).object;
      if (!seen.test(raw(object))) {
        seen.set(raw(object));
        stack.push_back(object);
      }
    }
  };
  for (const RacePair& pair : pairs_)
    if (analyses_.sites[pair.first.site].size == 8 && analyses_.sites[pair.second.site].size == 8)
      follow(pair.first.location);
  while (!stack.empty()) {
    ObjectId object = stack.back();
    stack.pop_back();
    if (auto found = byObject_.find(object); found != byObject_.end())
      pairUp(found->second, /*fresh=*/true);
  }
}

void RacePairs::collect() {
  for (uint32_t a = 0; a < analyses_.activations.all().size(); ++a) {
    Activation activation = analyses_.activations.all()[a];
    analyses_.graph.tick(a, "ways into functions");
    const Function& function = *analyses_.pointsTo.instance(activation.instance).body->function;
    auto accesses = analyses_.sites.accesses(function);
    if (accesses.empty() || isSynchronization(function.getName()))
      continue;
    // What a library does in threads of its own, without any code of the program, is its business.
    if (!activation.userCall && isLibrary(function))
      continue;
    DenseMap<const Instruction*, SmallVector<uint32_t, 2>> here;
    for (uint32_t site : accesses)
      here[analyses_.sites[site].instruction].push_back(site);
    LockSet entering = analyses_.activations.lockSet(activation.locks);
    auto freshness = analyses_.freshness.of(activation.instance, activation.fresh);
    auto ownership = analyses_.ownership.of(activation.instance, activation.fresh);
    analyses_.locks.each(
        activation.instance, entering, [&](const LockSet& held, const Instruction& at) {
          auto found = here.find(&at);
          if (found == here.end() || analyses_.graph.isCleanup(*at.getParent()))
            return;
          for (uint32_t site : found->second) {
            bool fresh = freshness->isFresh(at, analyses_.sites[site].address);
            Owned owned = ownership ? ownership->of(at, analyses_.sites[site].address) : Owned::No;
            for (uint32_t place :
                 analyses_.pointsTo.pointees(activation.instance, analyses_.sites[site].address)) {
              auto location = static_cast<LocationId>(place);
              ObjectId object = analyses_.pointsTo.location(location).object;
              if (analyses_.pointsTo.object(object).kind == ObjectKind::Function)
                continue;
              if (analyses_.sites[site].frees && !isBlock(location))
                continue;
              if (!fresh && !analyses_.sites[site].isAtomic())
                reached_.insert(site);
              if (!analyses_.escape.escapes(object) || isSaidLocal(site, object)) {
                if (!fresh && !analyses_.sites[site].isAtomic() &&
                    private_[object].size() < kMaxPrivate)
                  private_[object].insert({site, location});
                continue;
              }
              AliveId alive = analyses_.parallel.isConstant(activation.instance)
                                  ? activation.alive
                                  : analyses_.activations.idOf(analyses_.parallel.aliveAt(
                                        activation.instance,
                                        analyses_.activations.alive(activation.alive), at));
              addRecord(object, {site, a, location, analyses_.activations.idOf(held), alive, fresh,
                                 isInternal(a, object), owned, isAtomicCopy(a)});
            }
          }
        });
  }
}

/// Whether it can be freed: containers with room for few elements in themselves free what they
/// point to only if it is not that.
bool RacePairs::isBlock(LocationId location) const {
  const Location& at = analyses_.pointsTo.location(location);
  return analyses_.pointsTo.object(at.object).kind == ObjectKind::Heap && at.offset == 0;
}

RacePairs::Origin RacePairs::originOf(const Function& function) {
  auto [known, isNew] = origins_.try_emplace(&function, Origin::Program);
  if (isNew && isLibrary(function))
    known->second = isStandard(function) ? Origin::Standard : Origin::Foreign;
  return known->second;
}

/// Whether code of another library than the C++ library makes the object: the innermost that is
/// known of where it comes from.
bool RacePairs::isOwnedByLibrary(ObjectId id) {
  auto [known, isNew] = owned_.try_emplace(id, false);
  if (!isNew)
    return known->second;
  const Object& object = analyses_.pointsTo.object(id);
  if (auto* variable = dyn_cast<GlobalVariable>(object.site))
    return owned_[id] = isLibrary(*variable) && !isStandard(*variable);
  if (object.creator == InstanceId::None)
    return false;
  Origin origin = originOf(*analyses_.pointsTo.instance(object.creator).body->function);
  for (const ContextElement& element : analyses_.pointsTo.contexts().elements(object.context)) {
    if (origin != Origin::Standard)
      break;
    auto* place = dyn_cast_or_null<Instruction>(static_cast<const Value*>(element.place));
    origin = place ? originOf(*place->getFunction()) : Origin::Program;
  }
  return owned_[id] = origin == Origin::Foreign;
}

/// What a library does to memory that it has made is its business, also when the program calls it:
/// what it promises to threads is kept by means that are not always seen. Objects of its classes
/// that the program makes are the program's.
bool RacePairs::isInternal(uint32_t activation, ObjectId object) {
  if (!isOwnedByLibrary(object))
    return false;
  auto all = analyses_.activations.all();
  for (uint32_t index = activation;; index = all[index].parent) {
    Origin origin = originOf(*analyses_.pointsTo.instance(all[index].instance).body->function);
    if (origin != Origin::Standard || !all[index].call)
      return origin == Origin::Foreign;
  }
}

/// Whether the access is part of an atomic operation on a std::shared_ptr, whoever calls it.
bool RacePairs::isAtomicCopy(uint32_t activation) const {
  auto all = analyses_.activations.all();
  for (uint32_t index = activation;; index = all[index].parent) {
    const Function& function = *analyses_.pointsTo.instance(all[index].instance).body->function;
    if (isAtomicPointer(function.getName()))
      return true;
    if (!all[index].call || !isLibrary(function) ||
        !analyses_.activations.otherCallers(index).empty())
      return false;
  }
}

/// Whether somebody has said that one thread at a time uses it.
bool RacePairs::isSaidLocal(uint32_t site, ObjectId object) const {
  return !analyses_.annotations.empty() &&
         analyses_.annotations.isThreadLocal(analyses_.sites[site].object,
                                             analyses_.pointsTo.object(object).type);
}

RacePairs::Place RacePairs::placeOf(const AccessRecord& record) const {
  return {record.site, analyses_.activations.all()[record.activation].userCall};
}

/// Ways into a function that differ in nothing that matters here are one.
void RacePairs::addRecord(ObjectId object, const AccessRecord& record) {
  const Activation& activation = analyses_.activations.all()[record.activation];
  if (everyWay_ || order_.isOfTeam(activation.thread) ||
      recorded_
          .insert({object, record.site, record.location, record.locks, record.alive, record.fresh,
                   activation.thread, activation.userCall, record.owned})
          .second)
    byObject_[object].push_back(record);
}

/// How the memory lies to the locks that are held: all that a lock's path says of an access.
uint64_t RacePairs::relationsOf(const AccessRecord& record) {
  uint64_t all = 0;
  PathId path = analyses_.paths.of(analyses_.sites[record.site].address);
  for (const HeldLock& lock : analyses_.activations.lockSet(record.locks)) {
    auto relation = analyses_.paths.relation(lock.path, path);
    all = mix(mix(all, relation.key), relation.sameObject);
  }
  return all;
}

std::vector<RacePairs::Group> RacePairs::groupsOf(const std::vector<AccessRecord>& records) {
  using Key = std::tuple<LocationId, LockSetId, AliveId, bool, uint32_t, uint64_t, uint64_t,
                         uint32_t, InstanceId, const Function*>;
  std::map<Key, size_t> known;
  std::vector<Group> groups;
  bool annotated = !analyses_.annotations.empty();
  for (const AccessRecord& record : records) {
    const AccessSite& site = analyses_.sites[record.site];
    const Activation& activation = analyses_.activations.all()[record.activation];
    bool slots = analyses_.pointsTo.location(record.location).iteration != kNoIteration ||
                 order_.isOfTeam(activation.thread);
    uint32_t kind = site.isWrite() | isAtomic(record) << 1 | site.frees << 2 |
                    record.internal << 3 | static_cast<uint32_t>(record.owned) << 4;
    Key key{record.location,
            record.locks,
            record.alive,
            record.fresh,
            kind,
            site.size,
            relationsOf(record),
            activation.thread,
            slots ? activation.instance : InstanceId::None,
            annotated ? &order_.rootOf(record.activation) : nullptr};
    auto [at, isNew] = known.try_emplace(key, groups.size());
    // Where the order of single instructions counts, each is alone.
    if (isNew || slots)
      groups.push_back({record, {record}});
    else
      groups[at->second].members.push_back(record);
  }
  return groups;
}

bool RacePairs::canPair(const AccessRecord& one, const AccessRecord& other, bool fresh) const {
  if (fresh ? one.fresh == other.fresh : one.fresh || other.fresh)
    return false;
  if (one.internal && other.internal)
    return false;
  const AccessSite& first = analyses_.sites[one.site];
  const AccessSite& second = analyses_.sites[other.site];
  if (!first.isWrite() && !second.isWrite())
    return false;
  if (isAtomic(one) && isAtomic(other))
    return false;
  if (first.frees && second.frees &&
      !analyses_.threads.isSingle(analyses_.pointsTo.location(one.location).object))
    return false; // each its own
  return overlaps(one, other);
}

void RacePairs::pairUp(const std::vector<AccessRecord>& records, bool fresh) {
  std::vector<Group> groups = groupsOf(records);
  for (size_t i = 0; i < groups.size(); ++i, analyses_.graph.tick(pairs_.size(), "pairs"))
    for (size_t j = i; j < groups.size(); ++j) {
      const Group& one = groups[i];
      const Group& other = groups[j];
      if (!canPair(one.like, other.like, fresh))
        continue;
      note(aliasing_, one, other);
      note(escaping_, one, other);
      Stage stage = judge(one.like, other.like);
      if (stage > Stage::Unlocked)
        note(unlocked_, one, other);
      if (stage > Stage::Parallel)
        note(started_, one, other);
      if (stage > Stage::Join)
        note(unjoined_, one, other);
      if (stage != Stage::Race)
        continue;
      note(meeting_, one, other);
      addPairs(one, other);
    }
}

void RacePairs::addPairs(const Group& one, const Group& other) {
  bool all = one.members.size() * other.members.size() <= kMaxPairsOfGroups;
  for (size_t i = 0; i < one.members.size(); ++i)
    for (size_t j = &one == &other ? i : 0; j < other.members.size(); ++j)
      if (all || i < kFewPartners || j < kFewPartners || i == j)
        addPair(one.members[i], other.members[j]);
}

void RacePairs::addPair(const AccessRecord& one, const AccessRecord& other) {
  PlacePair key = std::minmax(placeOf(one), placeOf(other));
  if (found_.insert(key).second || everyWay_)
    pairs_.push_back({one, other});
}

Stage RacePairs::judge(const AccessRecord& one, const AccessRecord& other) {
  if (isGuarded(one, other) || haveOwners(one, other))
    return Stage::Unlocked;
  if (!mayMeet(one, other))
    return isJoined(one, other) ? Stage::Join : Stage::Parallel;
  return order_.haveOwnMemory(one, other) ? Stage::Slots : Stage::Race;
}

/// How much is accessed at most: a copy of a length that is not known ends with the array or part
/// that it begins in.
uint64_t RacePairs::sizeOf(const AccessRecord& record) const {
  if (analyses_.sites[record.site].size)
    return analyses_.sites[record.site].size;
  const Location& at = analyses_.pointsTo.location(record.location);
  const Object& object = analyses_.pointsTo.object(at.object);
  uint64_t whole = object.type ? object.type->getSizeInBits() / 8 : 0;
  uint64_t inElement = whole ? at.offset % whole : at.offset; // of an array of such objects
  uint64_t end = inElement ? layouts_.partEnd(object.type, inElement) : 0;
  return end > inElement ? end - inElement : UINT32_MAX;
}

bool RacePairs::overlaps(const AccessRecord& one, const AccessRecord& other) const {
  const Location& a = analyses_.pointsTo.location(one.location);
  const Location& b = analyses_.pointsTo.location(other.location);
  uint64_t sizeA = sizeOf(one);
  uint64_t sizeB = sizeOf(other);
  if (a.stride == 0 && b.stride == 0)
    return a.offset < b.offset + sizeB && b.offset < a.offset + sizeA;
  auto end = [](const Location& location, uint64_t size) -> uint64_t {
    if (location.stride == 0)
      return location.offset + size;
    return location.extent ? location.offset + location.extent : UINT64_MAX;
  };
  if (a.offset >= end(b, sizeB) || b.offset >= end(a, sizeA))
    return false;
  uint64_t stride = std::gcd(a.stride, b.stride);
  if (sizeA >= stride || sizeB >= stride)
    return true;
  uint64_t distance = (uint64_t{b.offset} + stride - a.offset % stride) % stride;
  return distance < sizeA || stride - distance < sizeB;
}

bool RacePairs::haveOwners(const AccessRecord& one, const AccessRecord& other) {
  return std::max(one.owned, other.owned) >= Owned::Loose &&
         std::min(one.owned, other.owned) != Owned::No;
}

bool RacePairs::isGuarded(const AccessRecord& one, const AccessRecord& other) {
  return commonLock(one, other) != nullptr;
}

const HeldLock* RacePairs::commonLock(const AccessRecord& one, const AccessRecord& other) {
  const LockSet& first = analyses_.activations.lockSet(one.locks);
  const LockSet& second = analyses_.activations.lockSet(other.locks);
  for (const HeldLock& lock : first)
    for (const HeldLock& otherLock : second)
      if ((lock.exclusive || otherLock.exclusive) && protects(lock, one, otherLock, other))
        return &lock;
  return nullptr;
}

/// Whether a place that one thread sets orders anything: an ordinary variable does so only under a
/// lock.
bool RacePairs::isHandedOver(LocationId place) {
  if (!analyses_.handOvers.isPlain(place))
    return true;
  auto [entry, isNew] = orders_.try_emplace(place, false); // nothing is ordered by itself
  if (!isNew)
    return entry->second;
  std::vector<AccessRecord> touching;
  for (const AccessRecord& record : byObject_[analyses_.pointsTo.location(place).object])
    if (!record.fresh &&
        overlap(analyses_.pointsTo.location(record.location), analyses_.pointsTo.location(place)))
      touching.push_back(record);
  bool ordered = true;
  for (const AccessRecord& one : touching)
    for (const AccessRecord& other : touching)
      if (analyses_.sites[one.site].isWrite() && ordered)
        ordered = isGuarded(one, other) || !mayMeet(one, other);
  return orders_[place] = ordered;
}

bool RacePairs::protects(const HeldLock& lock, const AccessRecord& one, const HeldLock& otherLock,
                         const AccessRecord& other) {
  if (lock.handOver || otherLock.handOver)
    return lock.isSame(otherLock) && isHandedOver(lock.location);
  bool same = lock.location != LocationId::None && lock.location == otherLock.location;
  if (same) {
    const Location& at = analyses_.pointsTo.location(lock.location);
    if (at.stride == 0 && analyses_.threads.isSingle(at.object))
      return true;
  }
  auto relation =
      analyses_.paths.relation(lock.path, analyses_.paths.of(analyses_.sites[one.site].address));
  auto otherRelation = analyses_.paths.relation(
      otherLock.path, analyses_.paths.of(analyses_.sites[other.site].address));
  if (relation.key && relation.key == otherRelation.key)
    return relation.sameObject || same;
  if (relation.key || otherRelation.key || !same)
    return false;
  return owns(analyses_.pointsTo.location(lock.location).object,
              analyses_.pointsTo.location(one.location).object);
}

/// Whether the object was made by functions of the owner, so that each owner has its own.
bool RacePairs::owns(ObjectId owner, ObjectId object) const {
  for (const ContextElement& element :
       analyses_.pointsTo.contexts().elements(analyses_.pointsTo.object(object).context))
    if (element.place == analyses_.pointsTo.object(owner).site)
      return true;
  return false;
}

} // namespace heddle::analysis
