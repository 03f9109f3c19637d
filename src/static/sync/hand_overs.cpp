#include "static/sync/hand_overs.h"

#include "static/ir/conditions.h"
#include "static/ir/standard_library.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

// A thread that sets more places is not one that tells others something with each of them.
constexpr size_t kMaxPlaces = 32;

/// Functions that wait until a place is set, which their first argument leads to.
bool isAwaiting(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  return callee && (isFutureWait(callee->getName()) || callee->getName() == "sem_wait");
}

/// Functions that set it. A promise that is broken announces nothing.
bool isSetting(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  return callee && (isFutureSet(callee->getName()) || callee->getName() == "sem_post");
}

/// A semaphore that lets somebody pass at its start.
bool isOpenAtStart(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee || callee->getName() != "sem_init" || call.arg_size() < 3)
    return false;
  auto* value = dyn_cast<ConstantInt>(call.getArgOperand(2));
  return !value || !value->isZero();
}

bool isAcquire(AtomicOrdering order) {
  return isAtLeastOrStrongerThan(order, AtomicOrdering::Acquire);
}

bool isRelease(AtomicOrdering order) {
  return isAtLeastOrStrongerThan(order, AtomicOrdering::Release);
}

} // namespace

struct HandOvers::Write {
  InstanceId instance;
  const Instruction* at;
  ValueAccess access;
};

HandOvers::HandOvers(const CallGraph& graph, const Threads& threads, ValueAccesses& valueAccesses)
    : graph_(graph), pointsTo_(graph.pointsTo()), threads_(threads), valueAccesses_(valueAccesses),
      byThread_(threads.all().size()) {
  auto eachInstance = [&](auto visit) {
    for (uint32_t i = 0; i < pointsTo_.instances().size(); ++i)
      if (!valueAccesses_.isWrapper(*pointsTo_.instances()[i].body->function))
        visit(static_cast<InstanceId>(i));
  };
  eachInstance([&](InstanceId instance) { findSeen(instance); });
  if (places_.empty())
    return;
  for (const auto& [place, what] : places_)
    byObject_[raw(pointsTo_.location(place).object)].push_back(place);
  eachInstance([&](InstanceId instance) { findWrites(instance); });
  choose();
}

/// The one place that an address stands for, of an object that exists once.
LocationId HandOvers::onlyPlace(InstanceId instance, const Value* address, int64_t offset) const {
  ValueAccess access;
  access.base = address;
  access.offset = offset;
  bool known = true;
  std::vector<LocationId> all = placesOf(instance, access, known);
  if (!known || all.size() != 1)
    return LocationId::None;
  const Location& at = pointsTo_.location(all[0]);
  ObjectKind kind = pointsTo_.object(at.object).kind;
  bool data = kind == ObjectKind::Global || kind == ObjectKind::Local || kind == ObjectKind::Heap;
  return at.stride == 0 && data && threads_.isSingle(at.object) ? all[0] : LocationId::None;
}

std::vector<LocationId> HandOvers::placesOf(InstanceId instance, const ValueAccess& access,
                                            bool& known) const {
  std::vector<LocationId> all;
  for (uint32_t each : pointsTo_.pointees(instance, access.base)) {
    auto id = static_cast<LocationId>(each);
    LocationId place = pointsTo_.find(id, access.offset);
    if (place == LocationId::None)
      known = false;
    else
      all.push_back(place);
  }
  return all;
}

void HandOvers::findSeen(InstanceId instance) {
  const Function& function = *pointsTo_.instance(instance).body->function;
  for (const BasicBlock& block : function) {
    if (graph_.isCleanup(block))
      continue;
    for (const Instruction& instruction : block)
      if (auto* call = dyn_cast<CallBase>(&instruction); call && isAwaiting(*call))
        addCandidate(instance, instruction, /*result=*/false);
    const Value* condition = nullptr;
    if (auto* branch = dyn_cast<BranchInst>(block.getTerminator()))
      condition = branch->isConditional() ? branch->getCondition() : nullptr;
    else if (auto* end = dyn_cast<ReturnInst>(block.getTerminator()))
      condition = end->getReturnValue();
    if (!condition || !condition->getType()->isIntegerTy())
      continue;
    if (Outcome outcome = outcomeOf(condition); outcome.source)
      addCandidate(instance, *outcome.source, /*result=*/true);
  }
}

void HandOvers::addCandidate(InstanceId instance, const Instruction& at, bool result) {
  Key key{raw(instance), &at};
  if (!result) {
    LocationId place = onlyPlace(instance, cast<CallBase>(at).getArgOperand(0), 0);
    if (place == LocationId::None)
      return;
    places_[place].called = true;
    awaited_[key] = place;
    return;
  }
  std::optional<ValueAccess> access = valueAccesses_.at(at);
  if (!access || access->kind != ValueAccessKind::Load || !access->tells)
    return;
  if (access->isAtomic() && !isAcquire(access->order))
    return;
  LocationId place = onlyPlace(instance, access->base, access->offset);
  if (place == LocationId::None || !isZeroAtStart(place, access->size))
    return;
  if (auto known = places_.find(place); known != places_.end() && known->second.called)
    return;
  (access->isAtomic() ? places_[place].atomic : places_[place].plain) = true;
  seen_[key] = place;
}

bool HandOvers::isZeroAtStart(LocationId id, uint64_t size) const {
  const Location& at = pointsTo_.location(id);
  auto* variable = dyn_cast<GlobalVariable>(pointsTo_.object(at.object).site);
  if (!variable)
    return true; // whatever is put there is a write
  if (!variable->hasInitializer())
    return false;
  Type* type = IntegerType::get(variable->getContext(), size * 8);
  auto* initializer = const_cast<Constant*>(variable->getInitializer()); // LLVM's interface
  Constant* start =
      ConstantFoldLoadFromConst(initializer, type, APInt(64, at.offset), variable->getDataLayout());
  return start && start->isNullValue();
}

void HandOvers::findWrites(InstanceId instance) {
  const Function& function = *pointsTo_.instance(instance).body->function;
  for (const Instruction& instruction : instructions(function)) {
    if (!instruction.mayWriteToMemory() || graph_.isCleanup(*instruction.getParent()))
      continue;
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call && (isSetting(*call) || isOpenAtStart(*call))) {
      for (uint32_t each : pointsTo_.pointees(instance, call->getArgOperand(0))) {
        auto found = places_.find(static_cast<LocationId>(each));
        if (found == places_.end() || !found->second.called)
          continue;
        if (isSetting(*call))
          addSetter({instance, &instruction, {}}, found->first);
        else
          found->second.broken = true;
      }
      continue;
    }
    if (auto* memory = dyn_cast<MemIntrinsic>(&instruction)) {
      auto* zeroes = dyn_cast<MemSetInst>(memory);
      auto* value = zeroes ? dyn_cast<ConstantInt>(zeroes->getValue()) : nullptr;
      if (!value || !value->isZero())
        breakObject(instance, memory->getRawDest());
      continue;
    }
    std::optional<ValueAccess> access = valueAccesses_.at(instruction);
    if (!access) {
      int index = call ? graph_.callIndex(*pointsTo_.instance(instance).body, *call) : -1;
      const ExternalModel* model =
          index < 0 ? nullptr : pointsTo_.instance(instance).body->calls[index].model;
      if (model && model->effect == Effect::CopyMemory)
        breakObject(instance, call->getArgOperand(model->a));
      continue;
    }
    if (!access->isWrite())
      continue;
    bool known = true;
    for (LocationId place : placesOf(instance, *access, known))
      addWrite({instance, &instruction, *access}, place);
    if (!known)
      breakObject(instance, access->base);
  }
}

void HandOvers::breakObject(InstanceId instance, const Value* address) {
  for (uint32_t each : pointsTo_.pointees(instance, address)) {
    auto found = byObject_.find(raw(pointsTo_.location(static_cast<LocationId>(each)).object));
    if (found != byObject_.end())
      for (LocationId place : found->second)
        places_[place].broken |= !places_[place].called;
  }
}

void HandOvers::addSetter(const Write& write, LocationId id) {
  for (uint32_t thread : threads_.executing(write.instance))
    if (!is_contained(places_[id].setters, thread))
      places_[id].setters.push_back(thread);
  set_[{raw(write.instance), write.at}].push_back(id);
}

void HandOvers::addWrite(const Write& write, LocationId to) {
  const Location& target = pointsTo_.location(to);
  auto found = byObject_.find(raw(target.object));
  if (found == byObject_.end())
    return;
  for (LocationId id : found->second) {
    Place& place = places_[id];
    if (place.called)
      continue;
    const Location& at = pointsTo_.location(id);
    bool meant = id == to;
    bool touches = meant || overlap(at, target) ||
                   (target.stride == 0 && target.offset < at.offset &&
                    at.offset < target.offset + write.access.size);
    if (!touches)
      continue;
    if (write.access.writesZero())
      continue; // taken back: who sees it set again knows as much as before
    bool atomic = write.access.isAtomic();
    bool flag = atomic ? isRelease(write.access.order) : write.access.writesNonZero();
    if (!meant || !flag || (!atomic && !place.plain)) {
      place.broken = true;
      continue;
    }
    addSetter(write, id);
  }
}

/// Keeps the places that one thread sets.
void HandOvers::choose() {
  for (auto it = places_.begin(); it != places_.end();) {
    const Place& place = it->second;
    bool good =
        !place.broken && place.setters.size() == 1 && (place.called || place.plain != place.atomic);
    uint32_t thread = good ? place.setters[0] : 0;
    if (good && (threads_.all()[thread].many || byThread_[thread].size() >= kMaxPlaces))
      good = false;
    if (good)
      byThread_[thread].push_back(it->first);
    it = good ? std::next(it) : places_.erase(it);
  }
  auto gone = [&](LocationId place) { return !places_.contains(place); };
  for (auto& [key, all] : set_) {
    erase_if(all, gone);
    if (!all.empty())
      concerned_.insert(key.first);
  }
  for (auto* kept : {&seen_, &awaited_})
    for (auto& [key, place] : *kept) {
      if (gone(place))
        place = LocationId::None;
      else
        concerned_.insert(key.first);
    }
}

std::span<const LocationId> HandOvers::setBy(InstanceId instance, const Instruction& at) const {
  auto found = set_.find({raw(instance), &at});
  if (found == set_.end())
    return {};
  return {found->second.data(), found->second.size()};
}

LocationId HandOvers::seenBy(InstanceId instance, const Instruction& at) const {
  auto found = seen_.find({raw(instance), &at});
  return found == seen_.end() ? LocationId::None : found->second;
}

LocationId HandOvers::awaitedBy(InstanceId instance, const Instruction& at) const {
  auto found = awaited_.find({raw(instance), &at});
  return found == awaited_.end() ? LocationId::None : found->second;
}

} // namespace heddle::analysis
