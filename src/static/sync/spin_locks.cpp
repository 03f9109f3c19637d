#include "static/sync/spin_locks.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

bool isTaking(const ValueAccess& access) {
  if (!access.tells || !access.writesNonZero() ||
      !isAtLeastOrStrongerThan(access.order, AtomicOrdering::Acquire))
    return false;
  auto* expected = dyn_cast_or_null<ConstantInt>(access.expected);
  return access.kind == ValueAccessKind::Exchange ||
         (access.kind == ValueAccessKind::CompareExchange && expected && expected->isZero());
}

bool isGiving(const ValueAccess& access) {
  return access.writesZero() && isAtLeastOrStrongerThan(access.order, AtomicOrdering::Release) &&
         (access.kind == ValueAccessKind::Store || access.kind == ValueAccessKind::Exchange);
}

} // namespace

SpinLocks::SpinLocks(const CallGraph& graph, ValueAccesses& valueAccesses)
    : pointsTo_(graph.pointsTo()), valueAccesses_(valueAccesses) {
  for (uint32_t i = 0; i < pointsTo_.instances().size(); ++i)
    if (!valueAccesses_.isWrapper(*pointsTo_.instances()[i].body->function))
      find(static_cast<InstanceId>(i));
  SmallVector<Key, 4> notWhole;
  for (const auto& [key, use] : uses_)
    if (!isWhole(static_cast<InstanceId>(key.first), use))
      notWhole.push_back(key);
  for (const Key& key : notWhole)
    uses_.erase(key);
  for (const auto& [key, use] : uses_)
    concerned_.insert(key.first);
}

void SpinLocks::find(InstanceId instance) {
  const Function& function = *pointsTo_.instance(instance).body->function;
  for (const Instruction& instruction : instructions(function)) {
    if (!instruction.mayWriteToMemory())
      continue;
    std::optional<ValueAccess> access = valueAccesses_.at(instruction);
    if (!access || !access->isWrite())
      continue;
    bool taking = isTaking(*access);
    if (taking || isGiving(*access)) {
      uses_[{raw(instance), &instruction}] = {access->base, access->offset, taking,
                                              access->kind == ValueAccessKind::Exchange};
      continue;
    }
    // A plain zero is how it begins.
    if (access->isAtomic() || !access->writesZero())
      breakAt(instance, *access);
  }
}

void SpinLocks::breakAt(InstanceId instance, const ValueAccess& access) {
  for (uint32_t each : pointsTo_.pointees(instance, access.base)) {
    Location at = pointsTo_.location(static_cast<LocationId>(each));
    at.offset += access.offset;
    broken_[raw(at.object)].push_back(at);
  }
}

/// Whether all that is written where the lock may lie is a taking or giving.
bool SpinLocks::isWhole(InstanceId instance, const Use& use) const {
  auto places = pointsTo_.pointees(instance, use.base);
  return !places.empty() && all_of(places, [&](uint32_t each) {
    Location at = pointsTo_.location(static_cast<LocationId>(each));
    at.offset += use.offset;
    auto found = broken_.find(raw(at.object));
    return found == broken_.end() ||
           none_of(found->second, [&](const Location& other) { return overlap(at, other); });
  });
}

SpinLocks::Use SpinLocks::at(InstanceId instance, const Instruction& instruction) const {
  return uses_.lookup({raw(instance), &instruction});
}

} // namespace heddle::analysis
