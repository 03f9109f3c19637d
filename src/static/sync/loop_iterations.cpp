#include "static/sync/loop_iterations.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr unsigned kDeepest = 12;
constexpr uint32_t kAnyThread = ~0u;

} // namespace

LoopIterations::LoopIterations(const CallGraph& graph, const Threads& threads)
    : graph_(graph), pointsTo_(graph.pointsTo()), threads_(threads) {
  bool any = false;
  for (uint32_t i = 0; i < pointsTo_.objectCount() && !any; ++i)
    any = pointsTo_.object(static_cast<ObjectId>(i)).kind == ObjectKind::Iteration;
  if (!any)
    return;
  findHolding();
  findMixed();
  findUnsure();
}

void LoopIterations::findHolding() {
  for (uint32_t i = 0; i < pointsTo_.locationCount(); ++i)
    for (uint32_t content : pointsTo_.contents(static_cast<LocationId>(i))) {
      ObjectId object = pointsTo_.location(static_cast<LocationId>(content)).object;
      if (pointsTo_.object(object).kind == ObjectKind::Iteration)
        holding_[static_cast<LocationId>(i)] = object;
    }
}

ObjectId LoopIterations::iterationIn(LocationId location) const {
  auto found = holding_.find(location);
  return found == holding_.end() ? kNoIteration : found->second;
}

void LoopIterations::findMixed() {
  // What is copied from a mixed place is mixed: until nothing changes.
  bool changed = !holding_.empty();
  while (changed) {
    changed = false;
    for (uint32_t i = 0; i < pointsTo_.instances().size(); ++i)
      for (const Instruction& instruction : instructions(*pointsTo_.instances()[i].body->function))
        changed |= mixIn(static_cast<InstanceId>(i), instruction);
  }
}

bool LoopIterations::mixIn(InstanceId instance, const Instruction& instruction) {
  bool changed = false;
  if (auto* store = dyn_cast<StoreInst>(&instruction)) {
    if (!store->getValueOperand()->getType()->isIntegerTy())
      return false;
    for (uint32_t each : pointsTo_.pointees(instance, store->getPointerOperand())) {
      auto place = static_cast<LocationId>(each);
      ObjectId iteration = iterationIn(place);
      if (iteration != kNoIteration &&
          !isIteration(instance, store->getValueOperand(), {iteration, kAnyThread}))
        changed |= mixed_.insert(place).second;
    }
    return changed;
  }
  auto* copy = dyn_cast<MemTransferInst>(&instruction);
  if (!copy)
    return false;
  bool mixed = any_of(pointsTo_.pointees(instance, copy->getRawSource()), [&](uint32_t each) {
    const Object& object = pointsTo_.objectOf(static_cast<LocationId>(each));
    return any_of(object.locations, [&](LocationId part) { return mixed_.contains(part); });
  });
  if (mixed)
    for (uint32_t each : pointsTo_.pointees(instance, copy->getRawDest()))
      for (LocationId part : pointsTo_.objectOf(static_cast<LocationId>(each)).locations)
        if (iterationIn(part) != kNoIteration)
          changed |= mixed_.insert(part).second;
  return changed;
}

/// Looks at every index that makes an iteration's element of an object.
void LoopIterations::findUnsure() {
  for (uint32_t i = 0; i < pointsTo_.instances().size(); ++i) {
    auto instance = static_cast<InstanceId>(i);
    const FunctionConstraints& body = *pointsTo_.instance(instance).body;
    for (const Op& op : body.ops) {
      if (op.kind != OpKind::Move || op.by == kNoOperand || !op.step.index)
        continue;
      for (uint32_t value : pointsTo_.pointees(instance, op.by)) {
        ObjectId iteration = pointsTo_.location(static_cast<LocationId>(value)).object;
        if (pointsTo_.object(iteration).kind != ObjectKind::Iteration)
          continue;
        for (uint32_t thread : threads_.executing(instance))
          if (!isIteration(instance, op.step.index, {iteration, thread}))
            for (uint32_t place : pointsTo_.pointees(instance, op.pointer))
              unsure_.insert(
                  {pointsTo_.location(static_cast<LocationId>(place)).object, iteration, thread});
      }
    }
  }
}

bool LoopIterations::isIteration(InstanceId instance, const Value* value, Question question) const {
  if (++question.depth > kDeepest)
    return false;
  const Object& wanted = pointsTo_.object(question.iteration);
  if (value == wanted.site)
    return instance == wanted.creator;
  if (auto* cast = dyn_cast<CastInst>(value))
    return isIteration(instance, cast->getOperand(0), question);
  if (auto* argument = dyn_cast<Argument>(value))
    return isArgumentIteration(instance, *argument, question);
  if (auto* load = dyn_cast<LoadInst>(value))
    return isLoadIteration(instance, *load, question.iteration);
  if (auto* call = dyn_cast<CallBase>(value))
    return isResultIteration(instance, *call, question);
  return false;
}

bool LoopIterations::isArgumentIteration(InstanceId instance, const Argument& argument,
                                         Question question) const {
  auto callers = graph_.callers(instance);
  return !callers.empty() && all_of(callers, [&](const CallEdge& edge) {
    Question here = question;
    if (edge.kind == EdgeKind::Fork)
      here.thread = kAnyThread; // what its creator passed
    else if (question.thread != kAnyThread &&
             !is_contained(threads_.executing(edge.caller), question.thread))
      return true; // another thread's call
    const CallOp& call = pointsTo_.instance(edge.caller).body->calls[edge.call];
    unsigned which = argument.getArgNo();
    if (call.model) {
      if (call.model->effect != Effect::ThreadCreate)
        return false;
      which = call.model->c;
    }
    return which < call.instruction->arg_size() &&
           isIteration(edge.caller, call.instruction->getArgOperand(which), here);
  });
}

bool LoopIterations::isLoadIteration(InstanceId instance, const LoadInst& load,
                                     ObjectId iteration) const {
  auto places = pointsTo_.pointees(instance, load.getPointerOperand());
  return !places.empty() && all_of(places, [&](uint32_t each) {
    auto place = static_cast<LocationId>(each);
    const Location& at = pointsTo_.location(place);
    auto contents = pointsTo_.contents(place);
    return contents.size() == 1 &&
           pointsTo_.location(static_cast<LocationId>(contents[0])).object == iteration &&
           none_of(pointsTo_.object(at.object).locations, [&](LocationId other) {
             return mixed_.contains(other) && overlap(at, pointsTo_.location(other));
           });
  });
}

bool LoopIterations::isResultIteration(InstanceId instance, const CallBase& call,
                                       Question question) const {
  int index = graph_.callIndex(*pointsTo_.instance(instance).body, call);
  auto edges = index < 0 ? std::span<const CallEdge>{} : graph_.calls(instance, index);
  return !edges.empty() && all_of(edges, [&](const CallEdge& edge) {
    const Function& callee = *pointsTo_.instance(edge.callee).body->function;
    return all_of(callee, [&](const BasicBlock& block) {
      auto* end = dyn_cast<ReturnInst>(block.getTerminator());
      return !end ||
             (end->getReturnValue() && isIteration(edge.callee, end->getReturnValue(), question));
    });
  });
}

} // namespace heddle::analysis
