#include "predict/lock_sets.h"

#include <algorithm>

namespace heddle {
namespace {

size_t index(LockSetId set) { return static_cast<size_t>(set); }

} // namespace

LockSets::LockSets() { intern({}); }

LockSetId LockSets::intern(std::vector<LockHold> locks) {
  auto [entry, added] = ids_.try_emplace(locks, static_cast<LockSetId>(sets_.size()));
  if (added)
    sets_.push_back(std::move(locks));
  return entry->second;
}

LockSetId LockSets::add(LockSetId set, LockHold lock) {
  std::vector<LockHold> locks = sets_[index(set)];
  locks.insert(std::upper_bound(locks.begin(), locks.end(), lock), lock);
  return intern(std::move(locks));
}

LockSetId LockSets::remove(LockSetId set, uint64_t lock) {
  std::vector<LockHold> locks = sets_[index(set)];
  auto found = std::find_if(locks.begin(), locks.end(),
                            [&](const LockHold& held) { return held.lock == lock; });
  if (found == locks.end())
    return set;
  locks.erase(found); // of a lock that is held twice, once
  return intern(std::move(locks));
}

std::span<const LockHold> LockSets::locks(LockSetId set) const { return sets_[index(set)]; }

bool LockSets::holds(LockSetId set, uint64_t lock) const {
  return std::any_of(sets_[index(set)].begin(), sets_[index(set)].end(),
                     [&](const LockHold& held) { return held.lock == lock; });
}

bool LockSets::exclude(LockSetId one, LockSetId other) {
  if (one == LockSetId::Empty || other == LockSetId::Empty)
    return false;
  if (other < one)
    std::swap(one, other);
  uint64_t key = uint64_t{index(one)} << 32 | index(other);
  auto known = excluded_.find(key);
  if (known != excluded_.end())
    return known->second;
  bool common = haveCommon(one, other);
  excluded_.emplace(key, common);
  return common;
}

bool LockSets::haveCommon(LockSetId one, LockSetId other) const {
  for (const LockHold& mine : sets_[index(one)])
    for (const LockHold& theirs : sets_[index(other)])
      if (mine.lock == theirs.lock && !(mine.shared && theirs.shared))
        return true;
  return false;
}

} // namespace heddle
