#include "synth/planned_heap.h"

#include <algorithm>

namespace heddle::synth {

PlannedHeap::PlannedHeap(const SeedTrace& trace, const std::vector<CallSummary>& calls,
                         const Plan& plan)
    : trace_(trace), calls_(calls), plan_(plan) {
  findGlobalObjects();
  for (const PlannedCall& step : plan.setup)
    apply(step);
  for (const PlannedCall& side : plan.sides)
    sides_.push_back(enter(side));
}

void PlannedHeap::findGlobalObjects() {
  for (const CallSummary& call : calls_)
    for (const auto& [from, target] : call.entryEdges)
      for (uint32_t i = 0; i < trace_.globals.size(); ++i)
        if (trace_.globals[i].address == from.first)
          globalObjects_.emplace(target, std::pair(i, from.second));
}

PlannedHeap::ObjectId PlannedHeap::make(Node node) {
  nodes_.push_back(node);
  return static_cast<ObjectId>(nodes_.size() - 1);
}

PlannedHeap::ObjectId PlannedHeap::global(uint32_t index) {
  auto [found, isNew] = globals_.emplace(index, ObjectId::Null);
  if (isNew)
    found->second = make();
  return found->second;
}

PlannedHeap::ObjectId PlannedHeap::collected(uint32_t collection, Address address) {
  for (uint32_t i = 0; i < trace_.globals.size(); ++i) {
    const GlobalObject& one = trace_.globals[i];
    if (one.address <= address && raw(address) < raw(one.address) + one.size)
      return global(i);
  }
  if (auto found = globalObjects_.find(address); found != globalObjects_.end())
    return follow(global(found->second.first), found->second.second);
  auto [found, isNew] = collected_.emplace(std::pair(collection, address), ObjectId::Null);
  if (isNew)
    found->second = make({collection, address});
  return found->second;
}

PlannedHeap::ObjectId PlannedHeap::follow(ObjectId object, const std::string& edge) {
  if (object == ObjectId::Null)
    return object;
  if (auto known = edges_.find({object, edge}); known != edges_.end())
    return known->second;
  Node node = nodes_[static_cast<uint32_t>(object)];
  ObjectId target = ObjectId::Null;
  if (node.address != Address::Null) {
    const CallSummary& call = calls_[raw(plan_.collections[node.collection].call)];
    if (auto found = call.entryEdges.find({node.address, edge}); found != call.entryEdges.end())
      target = collected(node.collection, found->second);
  }
  if (target == ObjectId::Null)
    target = make();
  edges_[{object, edge}] = target;
  return target;
}

PlannedHeap::ObjectId PlannedHeap::operand(const Operand& operand) {
  if (operand.kind == Operand::Made)
    return operand.source < made_.size() ? made_[operand.source] : make();
  const Value& value = recordedValue(calls_, plan_, operand);
  if (value.kind != ValueKind::Object)
    return ObjectId::Null;
  return collected(operand.source, value.object);
}

/// A class that is passed by value: another object, with the same edges.
PlannedHeap::ObjectId PlannedHeap::copyOf(ObjectId object) {
  ObjectId copy = make(nodes_[static_cast<uint32_t>(object)]);
  std::vector<std::pair<std::string, ObjectId>> edges;
  for (const auto& [from, target] : edges_)
    if (from.first == object)
      edges.emplace_back(from.second, target);
  for (const auto& [edge, target] : edges)
    edges_[{copy, edge}] = target;
  return copy;
}

PlannedHeap::Frame PlannedHeap::enter(const PlannedCall& call) {
  const Method& method = trace_.methods[raw(calls_[raw(call.call)].method)];
  Frame frame;
  for (size_t i = 0; i < call.operands.size(); ++i) {
    bool constructed = i == 0 && method.kind == MethodKind::Constructor;
    ObjectId object = constructed ? make() : operand(call.operands[i]);
    bool byValue = i > 0 && i <= method.parameters.size() && object != ObjectId::Null &&
                   trace_.types[method.parameters[i - 1]].kind == TypeKind::Class;
    frame.arguments.push_back(byValue ? copyOf(object) : object);
  }
  return frame;
}

PlannedHeap::ObjectId PlannedHeap::evaluate(Frame& frame, const AccessPath& path) {
  ObjectId object = ObjectId::Null;
  switch (path.root) {
  case RootKind::Argument:
    object = path.index < frame.arguments.size() ? frame.arguments[path.index] : ObjectId::Null;
    break;
  case RootKind::Global:
    object = global(path.index);
    break;
  case RootKind::Fresh: {
    auto [found, isNew] = frame.fresh.emplace(path.index, ObjectId::Null);
    if (isNew)
      found->second = make();
    object = found->second;
    break;
  }
  case RootKind::Result:
  case RootKind::Unknown:
    return make();
  }
  for (const std::string& edge : path.edges)
    object = follow(object, edge);
  return object;
}

/// All paths mean the entry state, so they are followed before the first assignment.
void PlannedHeap::apply(const PlannedCall& call) {
  const CallSummary& summary = calls_[raw(call.call)];
  Frame frame = enter(call);
  std::vector<std::pair<ObjectId, ObjectId>> ends;
  for (const Effect& effect : summary.effects)
    ends.emplace_back(evaluate(frame, effect.owners.front()),
                      effect.sources.empty() ? make() : evaluate(frame, effect.sources.front()));
  std::vector<std::pair<AccessPath, ObjectId>> placed;
  for (const Placement& placement : summary.placements)
    if (placement.target.root == RootKind::Result)
      placed.emplace_back(placement.target, evaluate(frame, placement.source));
  for (size_t i = 0; i < ends.size(); ++i)
    if (call.heldAt == Label::None || summary.effects[i].label <= call.heldAt)
      edges_[{ends[i].first, summary.effects[i].edge}] = ends[i].second;
  made_.push_back(resultOf(summary, frame, placed));
}

PlannedHeap::ObjectId
PlannedHeap::resultOf(const CallSummary& call, Frame& frame,
                      const std::vector<std::pair<AccessPath, ObjectId>>& placed) {
  if (trace_.methods[raw(call.method)].kind == MethodKind::Constructor)
    return frame.arguments.front();
  for (const auto& [target, object] : placed)
    if (target.edges.empty())
      return object;
  ObjectId result =
      call.resultObject.root == RootKind::Fresh ? evaluate(frame, call.resultObject) : make();
  for (const auto& [target, object] : placed) {
    ObjectId owner = result;
    for (size_t i = 0; i + 1 < target.edges.size(); ++i)
      owner = follow(owner, target.edges[i]);
    edges_[{owner, target.edges.back()}] = object;
  }
  return result;
}

PlannedHeap::ObjectId PlannedHeap::object(size_t side, const AccessPath& path) {
  return evaluate(sides_[side], path);
}

std::pair<PlannedHeap::ObjectId, std::string> PlannedHeap::lock(size_t side, const HeldLock& held) {
  if (held.path.object.root != RootKind::Unknown)
    return {evaluate(sides_[side], held.path.object), held.path.member.path};
  auto [found, isNew] = unknownLocks_.emplace(held.lock, ObjectId::Null);
  if (isNew)
    found->second = make();
  return {found->second, ""};
}

PlanVerdict judgePlan(const SeedTrace& trace, const std::vector<CallSummary>& calls,
                      const Plan& plan, const RacingPair& pair) {
  PlannedHeap heap(trace, calls, plan);
  PlanVerdict verdict;
  PlannedHeap::ObjectId one = heap.object(0, pair.sides[0].owner);
  verdict.shares = one != PlannedHeap::ObjectId::Null && one == heap.object(1, pair.sides[1].owner);
  auto locks = [&](size_t side) -> const std::vector<HeldLock>& {
    return calls[raw(pair.sides[side].call)].accesses[pair.sides[side].access].locks;
  };
  for (const HeldLock& mine : locks(0))
    for (const HeldLock& theirs : locks(1))
      if (!(mine.shared && theirs.shared) && heap.lock(0, mine) == heap.lock(1, theirs))
        verdict.commonLocks.push_back(mine.path.text());
  return verdict;
}

} // namespace heddle::synth
