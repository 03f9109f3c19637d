#include "static/sync/round_objects.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr unsigned kMaxBetween = 32; // functions from a loop down to the creation of its threads

/// Whether each round gives the variable a life or a value of its own before it is used.
bool beginsIn(const Loop& loop, const AllocaInst& local) {
  DominatorTree order(*const_cast<Function*>(local.getFunction()));
  return any_of(local.users(), [&](const User* user) {
    auto* begin = cast<Instruction>(user);
    auto* intrinsic = dyn_cast<IntrinsicInst>(user);
    auto* store = dyn_cast<StoreInst>(user);
    bool begins = intrinsic ? intrinsic->getIntrinsicID() == Intrinsic::lifetime_start
                            : store && store->getPointerOperand() == &local &&
                                  store->getValueOperand()->getType() == local.getAllocatedType();
    return begins && loop.contains(begin->getParent()) &&
           all_of(local.users(), [&](const User* other) {
             return other == user || order.dominates(begin, cast<Instruction>(other));
           });
  });
}

} // namespace

bool RoundObjects::areOwn(ObjectId object, uint32_t thread, uint32_t other) const {
  if (pointsTo_.object(object).kind != ObjectKind::Heap || thread == 0 || other == 0)
    return false;
  auto [known, isNew] = known_.try_emplace({object, thread, other}, false);
  if (isNew)
    known->second = findOwn(object, thread, other);
  return known->second;
}

bool RoundObjects::findOwn(ObjectId object, uint32_t thread, uint32_t other) const {
  Rounds rounds = roundsOf(thread);
  if (!rounds.loop || !threads_.isOnePerIteration(thread, other, rounds.maker, *rounds.loop))
    return false;
  DenseSet<uint32_t> seen;
  return isKeptInRound(object, rounds, thread, other, seen);
}

/// The innermost loop around the creation, in its function or in one that calls it.
RoundObjects::Rounds RoundObjects::roundsOf(uint32_t thread) const {
  InstanceId at = threads_.all()[thread].creator;
  const Instruction* site = threads_.all()[thread].creation;
  for (unsigned i = 0; i < kMaxBetween; ++i) {
    if (const Loop* loop = graph_.loops(*site->getFunction()).getLoopFor(site->getParent()))
      return {at, loop};
    auto callers = graph_.callers(at);
    if (callers.empty() || callers[0].kind == EdgeKind::Fork)
      return {};
    at = callers[0].caller; // isOnePerIteration looks at the other ones
    site = pointsTo_.instance(at).body->calls[callers[0].call].instruction;
  }
  return {};
}

/// Whether all ways to the place that makes the object begin in the loop.
bool RoundObjects::isMadeInRound(ObjectId id, const Rounds& rounds) const {
  const Object& object = pointsTo_.object(id);
  Threads::Ways ways;
  if (object.creator == InstanceId::None ||
      !threads_.findWays(object.creator, cast<Instruction>(object.site), rounds.maker, ways))
    return false;
  return all_of(ways[rounds.maker],
                [&](const Instruction* site) { return rounds.loop->contains(site->getParent()); });
}

bool RoundObjects::pointsAt(InstanceId instance, const Value& value, ObjectId object) const {
  return any_of(pointsTo_.pointees(instance, &value), [&](uint32_t each) {
    return pointsTo_.location(static_cast<LocationId>(each)).object == object;
  });
}

/// Whether a round may know the object of an earlier one: by a variable that lives longer, or from
/// who calls the loop's function.
bool RoundObjects::isCarried(ObjectId object, const Rounds& rounds) const {
  for (const Loop* loop = rounds.loop; loop; loop = loop->getParentLoop())
    for (const PHINode& phi : loop->getHeader()->phis())
      if (pointsAt(rounds.maker, phi, object))
        return true;
  const Function& function = *pointsTo_.instance(rounds.maker).body->function;
  return any_of(function.args(),
                [&](const Argument& argument) { return pointsAt(rounds.maker, argument, object); });
}

/// Whether the object is made in a round, and its address is kept nowhere but in variables of this
/// round, of the thread, and in objects of which the same is true.
bool RoundObjects::isKeptInRound(ObjectId object, const Rounds& rounds, uint32_t thread,
                                 uint32_t other, DenseSet<uint32_t>& seen) const {
  if (!seen.insert(raw(object)).second)
    return true;
  if (!isMadeInRound(object, rounds) || isCarried(object, rounds))
    return false;
  return all_of(holdersOf(object), [&](ObjectId id) {
    const Object& holder = pointsTo_.object(id);
    switch (holder.kind) {
    case ObjectKind::Heap:
      return isKeptInRound(id, rounds, thread, other, seen);
    case ObjectKind::Local:
      return isOfRound(holder, rounds, thread, other);
    case ObjectKind::Copy:
      return true; // what it passes on has holders of its own
    default:
      return false;
    }
  });
}

/// Whether a variable on a stack begins its life anew in each round, or is the thread's.
bool RoundObjects::isOfRound(const Object& local, const Rounds& rounds, uint32_t thread,
                             uint32_t other) const {
  if (local.creator == rounds.maker)
    return beginsIn(*rounds.loop, *cast<AllocaInst>(local.site));
  auto executing = threads_.executing(local.creator);
  if (all_of(executing, [&](uint32_t each) { return each == thread || each == other; }))
    return true;
  // A function that the loop calls, and nobody else.
  Threads::Ways ways;
  return threads_.findWays(local.creator, cast<Instruction>(local.site), rounds.maker, ways) &&
         all_of(ways[rounds.maker],
                [&](const Instruction* site) { return rounds.loop->contains(site->getParent()); });
}

const std::vector<ObjectId>& RoundObjects::holdersOf(ObjectId object) const {
  if (holders_.empty()) {
    holders_.resize(pointsTo_.objectCount());
    for (uint32_t i = 0; i < pointsTo_.locationCount(); ++i) {
      ObjectId holder = pointsTo_.location(static_cast<LocationId>(i)).object;
      for (uint32_t content : pointsTo_.contents(static_cast<LocationId>(i))) {
        auto& all = holders_[raw(pointsTo_.location(static_cast<LocationId>(content)).object)];
        if (all.empty() || all.back() != holder)
          all.push_back(holder);
      }
    }
  }
  return holders_[raw(object)];
}

} // namespace heddle::analysis
