#include "static/sync/thread_joins.h"

#include "static/ir/addresses.h"
#include "static/ir/standard_library.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::analysis {
ThreadJoins::ThreadJoins(const CallGraph& graph, const Threads& threads)
    : graph_(graph), pointsTo_(graph.pointsTo()), threads_(threads) {
  findDetached();
  findMovedFrom();
}

bool ThreadJoins::isRelevant(InstanceId id, const CallOp& call) const {
  if (call.callee && isJoinable(call.callee->getName()))
    return true;
  const ExternalModel* model = modelOf(id, call);
  return model &&
         (model->effect == Effect::ThreadCreate || model->effect == Effect::StateThreadCreate ||
          model->effect == Effect::ThreadJoin);
}

const ExternalModel* ThreadJoins::modelOf(InstanceId id, const CallOp& call) const {
  if (call.model || call.callee || call.slot >= 0)
    return call.model;
  auto targets = pointsTo_.pointees(id, call.pointer);
  if (targets.size() != 1)
    return nullptr;
  auto* function = dyn_cast<Function>(pointsTo_.objectOf(static_cast<LocationId>(targets[0])).site);
  return function && !hasBody(*function) ? pointsTo_.constraints().models().find(*function)
                                         : nullptr;
}

bool ThreadJoins::isJoin(InstanceId id, const CallOp& call) const {
  const ExternalModel* model = modelOf(id, call);
  return model && model->effect == Effect::ThreadJoin;
}

std::span<const uint32_t> ThreadJoins::handlePlaces(InstanceId id, const CallOp& call) const {
  const ExternalModel& model = *modelOf(id, call);
  const Value* argument = call.instruction->getArgOperand(model.a);
  if (model.b == 1)
    return pointsTo_.pointees(id, argument);
  if (auto* load = dyn_cast<LoadInst>(argument))
    return pointsTo_.pointees(id, load->getPointerOperand());
  return {};
}

ThreadJoins::Joined ThreadJoins::joinedBy(InstanceId id, const CallOp& call) const {
  Joined joined;
  std::vector<uint32_t> handles;
  auto places = handlePlaces(id, call);
  const ExternalModel& model = *modelOf(id, call);
  if (model.b == 1) {
    for (uint32_t place : places)
      for (uint32_t handle : pointsTo_.contents(static_cast<LocationId>(place)))
        handles.push_back(handle);
  } else {
    auto values = pointsTo_.pointees(id, call.instruction->getArgOperand(model.a));
    handles.assign(values.begin(), values.end());
  }
  for (uint32_t handle : handles)
    for (uint32_t thread :
         threads_.ofHandle(pointsTo_.location(static_cast<LocationId>(handle)).object))
      joined.threads.push_back(thread);
  joined.all = handles.size() == 1 && joinsAll(id, call, places, joined.threads);
  joined.other = places.size() != 1 ||
                 pointsTo_.location(static_cast<LocationId>(places[0])).stride ||
                 !isOneOfSeveral(static_cast<LocationId>(places[0]), joined.threads);
  return joined;
}

bool ThreadJoins::joinsAll(InstanceId id, const CallOp& call, std::span<const uint32_t> places,
                           const std::vector<uint32_t>& joined) const {
  if (none_of(joined, [&](uint32_t t) { return threads_.all()[t].many; }))
    return places.size() <= 1;
  if (places.size() != 1)
    return false;
  auto at = static_cast<LocationId>(places[0]);
  const Location& place = pointsTo_.location(at);
  if (place.stride || isOneOfSeveral(at, joined))
    return false;
  // The variable of one activation: what was put there last is what is joined.
  return (pointsTo_.object(place.object).kind == ObjectKind::Local ||
          threads_.isSingle(place.object)) &&
         all_of(joined, [&](uint32_t thread) { return isInRoundOf(thread, id, call); });
}

/// Whether the place is an element of an array in which others have handles of the threads, too.
bool ThreadJoins::isOneOfSeveral(LocationId place, const std::vector<uint32_t>& joined) const {
  const Location& at = pointsTo_.location(place);
  return any_of(pointsTo_.object(at.object).locations, [&](LocationId other) {
    const Location& row = pointsTo_.location(other);
    return row.stride && overlap(row, at) &&
           any_of(pointsTo_.contents(other), [&](uint32_t handle) {
             ObjectId object = pointsTo_.location(static_cast<LocationId>(handle)).object;
             return any_of(threads_.ofHandle(object),
                           [&](uint32_t thread) { return is_contained(joined, thread); });
           });
  });
}

/// Whether each round of a loop that creates the thread gets to the join, so that none of an
/// earlier round is forgotten.
bool ThreadJoins::isInRoundOf(uint32_t thread, InstanceId id, const CallOp& join) const {
  const Thread& kind = threads_.all()[thread];
  const BasicBlock& from = *kind.creation->getParent();
  const Loop* loop = graph_.loops(*from.getParent()).getLoopFor(&from);
  return !loop || (kind.creator == id && loop->contains(join.instruction->getParent()));
}

std::vector<uint32_t> ThreadJoins::notJoinable(InstanceId id, const FunctionConstraints& body,
                                               const BasicBlock& from, const BasicBlock& to) const {
  auto* branch = dyn_cast<BranchInst>(from.getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(1) != &to)
    return {};
  auto* call = dyn_cast<CallBase>(branch->getCondition());
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !isJoinable(callee->getName()))
    return {};
  if (isThreadAssignment(body.function->getName()))
    return {}; // asked before another thread is moved there
  std::vector<uint32_t> idle;
  for (uint32_t place : pointsTo_.pointees(id, call->getArgOperand(0)))
    for (uint32_t handle : pointsTo_.contents(static_cast<LocationId>(place)))
      if (!movedFrom_.contains(place) || places(static_cast<LocationId>(handle)) == 1)
        for (uint32_t thread :
             threads_.ofHandle(pointsTo_.location(static_cast<LocationId>(handle)).object))
          if (!detached_.test(thread))
            idle.push_back(thread);
  return idle;
}

void ThreadJoins::findDetached() {
  detached_.resize(threads_.all().size());
  for (uint32_t i = 0; i < pointsTo_.instances().size(); ++i) {
    auto id = static_cast<InstanceId>(i);
    for (const CallOp& call : pointsTo_.instance(id).body->calls) {
      const ExternalModel* model = modelOf(id, call);
      if (model && model->effect == Effect::ThreadDetach)
        for (uint32_t thread : joinedBy(id, call).threads)
          detached_.set(thread);
    }
  }
}

void ThreadJoins::findMovedFrom() {
  for (uint32_t i = 0; i < pointsTo_.instances().size(); ++i) {
    auto id = static_cast<InstanceId>(i);
    const FunctionConstraints& body = *pointsTo_.instance(id).body;
    // They swap with one that has no thread.
    if (isThreadMove(body.function->getName()))
      continue;
    for (const CallOp& call : body.calls) {
      if (!call.callee || call.instruction->arg_size() < 2)
        continue;
      bool swaps = isThreadSwap(call.callee->getName());
      if (swaps)
        noteMovedFrom(id, call.instruction->getArgOperand(0));
      if (swaps || isThreadMove(call.callee->getName()))
        noteMovedFrom(id, call.instruction->getArgOperand(1));
    }
  }
}

void ThreadJoins::noteMovedFrom(InstanceId id, const Value* thread) {
  auto places = pointsTo_.pointees(id, thread);
  movedFrom_.insert(places.begin(), places.end());
}

unsigned ThreadJoins::places(LocationId handle) const {
  if (handlePlaceCounts_.empty()) {
    handlePlaceCounts_[raw(handle)] = 0;
    for (uint32_t i = 0; i < pointsTo_.locationCount(); ++i) {
      const Location& location = pointsTo_.location(static_cast<LocationId>(i));
      if (location.read == kNoNode)
        continue;
      for (uint32_t content : pointsTo_.contents(static_cast<LocationId>(i)))
        if (pointsTo_.objectOf(static_cast<LocationId>(content)).kind == ObjectKind::Thread)
          ++handlePlaceCounts_[content];
    }
  }
  return handlePlaceCounts_.lookup(raw(handle));
}

} // namespace heddle::analysis
