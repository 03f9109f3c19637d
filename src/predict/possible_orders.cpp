#include "predict/possible_orders.h"

#include <algorithm>

namespace heddle {
namespace {

bool isHeld(const std::vector<HeldInstance>& held, const HeldInstance& lock) {
  return std::any_of(held.begin(), held.end(), [&](const HeldInstance& other) {
    return other.excludes(lock.lock, lock.shared);
  });
}

bool hasInstance(const std::vector<HeldInstance>& held, const HeldInstance& lock) {
  return std::any_of(held.begin(), held.end(),
                     [&](const HeldInstance& other) { return other.instance == lock.instance; });
}

} // namespace

bool PossibleOrders::mustPrecede(const UnitAccess& one, const UnitAccess& other) const {
  uint32_t time = trace_.clocks[one.clock].at(one.thread);
  return time <= trace_.clocks[other.clock].at(one.thread);
}

bool PossibleOrders::acquires(uint32_t thread, uint64_t after, uint64_t until,
                              const HeldInstance& lock) const {
  const auto& all = trace_.acquisitions[thread];
  auto first = std::upper_bound(all.begin(), all.end(), after,
                                [](uint64_t p, const auto& a) { return p < a.position; });
  for (; first != all.end() && first->position <= until; ++first)
    if (lock.excludes(first->lock, first->shared))
      return true;
  return false;
}

bool PossibleOrders::isExcluded(const UnitAccess& begin, const UnitAccess& end,
                                const UnitAccess& inside) const {
  return std::any_of(locks(begin).begin(), locks(begin).end(), [&](const HeldInstance& lock) {
    return hasInstance(locks(end), lock) && isHeld(locks(inside), lock);
  });
}

bool PossibleOrders::isBarred(const UnitAccess& begin, const UnitAccess& end,
                              const UnitAccess& first, const UnitAccess& last) const {
  return std::any_of(locks(begin).begin(), locks(begin).end(), [&](const HeldInstance& lock) {
    return hasInstance(locks(end), lock) &&
           acquires(first.thread, first.position, last.position, lock);
  });
}

bool PossibleOrders::isFreedBetween(const UnitAccess& one, const UnitAccess& other) const {
  auto [first, last] = std::minmax(one.position, other.position);
  uint64_t reach = std::min(one.address, trace_.largestFreed);
  auto block = trace_.freed.lower_bound(one.address - reach);
  for (; block != trace_.freed.end() && block->first < one.address + one.size; ++block) {
    const auto& times = block->second;
    auto time = std::upper_bound(times.begin(), times.end(), first,
                                 [](uint64_t p, const auto& freed) { return p < freed.position; });
    for (; time != times.end() && time->position < last; ++time)
      if (one.address < time->end)
        return true;
  }
  return false;
}

bool PossibleOrders::canEnclose(const UnitAccess& i, const UnitAccess& j, const UnitAccess& k,
                                const UnitAccess& l) const {
  return !mustPrecede(ofOther(k), i) && !mustPrecede(j, ofOther(l)) && !isExcluded(i, j, k) &&
         !isExcluded(i, j, l) && !isBarred(i, j, k, l);
}

bool PossibleOrders::canInterleave(const UnitAccess& i, const UnitAccess& j, const UnitAccess& k,
                                   const UnitAccess& l) const {
  return !mustPrecede(ofOther(k), i) && !mustPrecede(j, ofOther(k)) &&
         !mustPrecede(ofOther(l), j) && !isExcluded(i, j, k) && !isExcluded(k, l, j);
}

uint32_t PossibleOrders::neededLocks(const UnitAccess& held, const UnitAccess& first,
                                     const UnitAccess& last) const {
  uint32_t mask = 0;
  const auto& own = locks(held);
  for (uint32_t bit = 0; bit < own.size() && bit < 32; ++bit) {
    uint64_t begin = trace_.units[first.unit].begin;
    if (isHeld(locks(first), own[bit]) || isHeld(locks(last), own[bit]) ||
        acquires(first.thread, begin, last.position, own[bit]))
      mask |= 1u << bit;
  }
  return mask;
}

} // namespace heddle
