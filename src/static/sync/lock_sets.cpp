#include "static/sync/lock_sets.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr int kMaxCount = 100; // of a recursive lock

bool mayBeAliases(const HeldLock& one, const HeldLock& other) {
  return one.aliased && other.aliased &&
         (one.location == other.location || one.location == LocationId::None ||
          other.location == LocationId::None);
}

} // namespace

bool areEqual(const LockSet& one, const LockSet& other) {
  return one.size() == other.size() && equal(one, other, [](const HeldLock& a, const HeldLock& b) {
           return a.isSame(b) && a.exclusive == b.exclusive && a.count == b.count &&
                  a.aliased == b.aliased;
         });
}

bool holds(const LockSet& held, const HeldLock& lock) {
  return any_of(held, [&](const HeldLock& each) { return each.isSame(lock); });
}

void intersect(LockSet& into, const LockSet& from) {
  LockSet both;
  for (HeldLock& each : into) {
    auto* other = find_if(from, [&](const HeldLock& lock) { return lock.isSame(each); });
    if (other == from.end() && each.path != PathId::None) {
      other = find_if(from, [&](const HeldLock& lock) { return lock.path == each.path; });
      if (other != from.end())
        each.location = LocationId::None;
    }
    if (other == from.end()) {
      // The same place by another way.
      other = find_if(from, [&](const HeldLock& lock) {
        return lock.location == each.location && each.location != LocationId::None &&
               lock.handOver == each.handOver;
      });
      if (other == from.end())
        continue;
      each.path = PathId::None;
    }
    each.exclusive &= other->exclusive;
    each.aliased |= other->aliased;
    each.count = std::min(each.count, other->count);
    if (each.guard != other->guard)
      each.guard = PathId::None;
    both.push_back(each);
  }
  into = std::move(both);
}

HeldLock handOver(LocationId place, bool exclusive) {
  HeldLock lock;
  lock.location = place;
  lock.exclusive = exclusive;
  lock.handOver = true;
  return lock;
}

void acquire(LockSet& held, HeldLock lock) {
  if (lock.path == PathId::None && lock.location == LocationId::None)
    return;
  for (HeldLock& each : held)
    if (each.isSame(lock)) {
      if (lock.handOver)
        return;
      each.count = std::min<int>(each.count + lock.count, kMaxCount);
      each.exclusive |= lock.exclusive;
      return;
    }
  held.push_back(lock);
}

LocationId LockSets::placeOf(std::span<const uint32_t> places) const {
  for (uint32_t each : places) {
    const Location& whole = pointsTo_.location(static_cast<LocationId>(each));
    if (all_of(places, [&](uint32_t other) {
          return other == each ||
                 isElement(pointsTo_.location(static_cast<LocationId>(other)), whole);
        }))
      return static_cast<LocationId>(each);
  }
  return LocationId::None;
}

bool LockSets::isElement(const Location& one, const Location& of) {
  return one.object == of.object && of.stride && of.iteration == kNoIteration && !of.extent &&
         one.offset >= of.offset && (one.offset - of.offset) % of.stride == 0 &&
         one.stride % of.stride == 0;
}

HeldLock LockSets::lockAt(InstanceId id, const Value* pointer, bool exclusive,
                          const CallBase* acquisition) const {
  HeldLock lock;
  lock.path = paths_.of(pointer);
  lock.location = placeOf(pointsTo_.pointees(id, pointer));
  lock.exclusive = exclusive;
  lock.acquisition = acquisition;
  return lock;
}

HeldLock LockSets::lockAt(InstanceId id, const SpinLocks::Use& use, const Instruction& at) const {
  HeldLock lock;
  lock.path = paths_.offset(paths_.of(use.base), use.offset);
  auto places = pointsTo_.pointees(id, use.base);
  if (places.size() == 1)
    lock.location = pointsTo_.find(static_cast<LocationId>(places[0]), use.offset);
  lock.acquisition = dyn_cast<CallBase>(&at);
  return lock;
}

bool LockSets::mayBe(LocationId lock, std::span<const uint32_t> places) const {
  const Location& held = pointsTo_.location(lock);
  return any_of(places, [&](uint32_t each) {
    const Location& place = pointsTo_.location(static_cast<LocationId>(each));
    return place.object == held.object && overlap(held, place);
  });
}

void LockSets::release(LockSet& held, const HeldLock& given,
                       std::span<const uint32_t> places) const {
  auto drop = [&](HeldLock* each) {
    HeldLock gone = *each;
    for (size_t i = held.size(); i-- > 0;) {
      if (&held[i] != each && !mayBeAliases(gone, held[i]))
        continue;
      if (held[i].count > 1)
        --held[i].count;
      else
        held.erase(held.begin() + i);
    }
  };
  if (given.handOver) {
    erase_if(held, [&](const HeldLock& each) { return each.isSame(given); });
    return;
  }
  if (given.guard != PathId::None)
    for (HeldLock& each : held)
      if (each.guard == given.guard)
        return drop(&each);
  if (given.path != PathId::None)
    for (HeldLock& each : held)
      if (each.path == given.path)
        return drop(&each);
  for (size_t i = held.size(); i-- > 0;) {
    bool may = !held[i].handOver && (held[i].location == LocationId::None || places.empty() ||
                                     mayBe(held[i].location, places));
    if (may && held[i].count > 1)
      --held[i].count;
    else if (may)
      held.erase(held.begin() + i);
  }
}

void LockSets::forget(LockSet& held, const Value& value) const {
  for (size_t i = held.size(); i-- > 0;) {
    if (held[i].path == PathId::None || !paths_.mentions(held[i].path, &value))
      continue;
    held[i].path = PathId::None;
    if (held[i].location == LocationId::None)
      held.erase(held.begin() + i);
  }
}

void LockSets::rename(LockSet& held, const BasicBlock& from, const BasicBlock& to) const {
  if (held.empty() || !isa<PHINode>(to.front()))
    return;
  LockSet others;
  for (const PHINode& phi : to.phis()) {
    if (!phi.getType()->isPointerTy())
      continue;
    PathId incoming = paths_.of(phi.getIncomingValueForBlock(&from));
    for (HeldLock& lock : held) {
      PathId path = paths_.replaced(lock.path, incoming, paths_.root(&phi));
      if (path == PathId::None || any_of(to.phis(), [&](const PHINode& other) {
            return &other != &phi && paths_.mentions(path, &other);
          }))
        continue;
      lock.aliased = true;
      others.push_back(lock);
      others.back().path = path;
    }
  }
  for (const PHINode& phi : to.phis())
    forget(held, phi);
  held.append(others);
}

} // namespace heddle::analysis
