#include "synth/context.h"

#include <algorithm>

namespace heddle::synth {

ContextDeriver::ContextDeriver(const SeedTrace& trace, const std::vector<CallSummary>& calls)
    : trace_(trace), calls_(calls) {
  for (const CallSummary& call : calls) {
    const Method& method = trace.methods[raw(call.method)];
    if (method.kind != MethodKind::Destructor)
      continue;
    for (const AccessPath& path : call.freed)
      if (path.root == RootKind::Argument && path.index == 0 && !path.edges.empty())
        owned_.emplace(trace.types[method.ownerClass].name, path.edges);
  }
}

TypeId ContextDeriver::typeOf(const Draft& draft, const Operand& operand) const {
  return recordedValue(calls_, draft.plan, operand).type;
}

/// Whether an object of the class can be the receiver or the argument of the call.
bool ContextDeriver::accepts(const CallSummary& call, uint32_t argument, TypeId type) const {
  const Method& method = trace_.methods[raw(call.method)];
  TypeId declared = method.ownerClass;
  if (argument > 0) {
    declared =
        argument <= method.parameters.size() ? method.parameters[argument - 1] : TypeId::None;
    if (isEdge(trace_.types[declared].kind))
      declared = trace_.types[declared].target;
  }
  return trace_.types.isA(type, declared) || type == call.values[argument].type;
}

/// Whether the argument is given away: std::unique_ptr, T&&.
bool ContextDeriver::takesAlone(const CallSummary& call, uint32_t argument) const {
  const Method& method = trace_.methods[raw(call.method)];
  return argument > 0 && argument <= method.parameters.size() &&
         isExclusive(trace_.types[method.parameters[argument - 1]].kind);
}

bool ContextDeriver::isOwned(const CallSummary& call, const AccessPath& target) const {
  const Method& method = trace_.methods[raw(call.method)];
  TypeId type = method.ownerClass;
  if (target.root == RootKind::Result)
    type = call.result.type;
  else if (target.index < call.values.size())
    type = call.values[target.index].type;
  return std::ranges::any_of(owned_, [&](const auto& owned) {
    TypeId owner = trace_.types.find(owned.first);
    return owned.second == target.edges && trace_.types.isA(type, owner);
  });
}

/// Members of the client's objects that the library changes keep the object, with its state.
uint8_t ContextDeriver::rankOf(const CallSummary& call, const Placement& placement) const {
  bool makes = placement.target.root == RootKind::Result ||
               trace_.methods[raw(call.method)].kind == MethodKind::Constructor;
  return placement.lasts ? (makes ? 1 : 0) : 2;
}

bool ContextDeriver::isUsable(const CallSummary& call, const Placement& placement,
                              TypeId object) const {
  const Method& method = trace_.methods[raw(call.method)];
  bool makes = rankOf(call, placement) == 1;
  if (call.threw || method.kind == MethodKind::Destructor || placement.exclusive)
    return false;
  if (placement.source.root != RootKind::Argument || placement.target.edges.empty())
    return false;
  if (takesAlone(call, placement.source.index) || isOwned(call, placement.target))
    return false;
  if (placement.target.root == RootKind::Result)
    return trace_.types.isA(call.result.type, object);
  if (placement.target.root != RootKind::Argument)
    return false;
  if (method.kind == MethodKind::Constructor)
    return placement.target.index == 0 && makes && call.values.front().type == object;
  return accepts(call, placement.target.index, object) && !takesAlone(call, placement.target.index);
}

/// Where a call is held: at the assignment, or where it has given its locks back.
Label ContextDeriver::holdingPoint(const CallSummary& call, const Placement& placement) const {
  if (placement.lasts)
    return Label::None;
  for (const Effect& effect : call.effects)
    if (effect.label == placement.label)
      return effect.lockFree;
  return placement.label;
}

static bool startsWith(const std::vector<std::string>& edges,
                       const std::vector<std::string>& prefix) {
  return prefix.size() <= edges.size() && std::equal(prefix.begin(), prefix.end(), edges.begin());
}

std::vector<ContextDeriver::Setter>
ContextDeriver::settersFor(const Draft& draft, const Operand& object, const Edges& edges) const {
  std::vector<Setter> setters;
  TypeId type = typeOf(draft, object);
  std::set<std::tuple<MethodId, AccessPath, AccessPath>> seen; // one call of each kind will do
  for (const CallSummary& call : calls_)
    for (size_t i = 0; i < call.placements.size(); ++i) {
      const Placement& placement = call.placements[i];
      if (!startsWith(edges, placement.target.edges) || !isUsable(call, placement, type))
        continue;
      if (seen.emplace(call.method, placement.target, placement.source).second)
        setters.push_back({call.call, i, rankOf(call, placement)});
    }
  auto order = [&](const Setter& setter) {
    const Placement& placement = calls_[raw(setter.call)].placements[setter.placement];
    // Directly, and as far as one call goes; else in the order of the calls.
    return std::tuple(setter.rank, placement.source.edges.size(), -placement.target.edges.size(),
                      raw(setter.call), setter.placement);
  };
  std::ranges::sort(setters, [&](const auto& a, const auto& b) { return order(a) < order(b); });
  return setters;
}

uint32_t ContextDeriver::collect(Draft& draft, CallId call) const {
  draft.plan.collections.push_back({call, ++draft.collections});
  return static_cast<uint32_t>(draft.plan.collections.size() - 1);
}

PlannedCall ContextDeriver::callOf(const Draft& draft, uint32_t collection) const {
  PlannedCall call{draft.plan.collections[collection].call, {}, Label::None};
  for (uint32_t i = 0; i < calls_[raw(call.call)].values.size(); ++i)
    call.operands.push_back({Operand::Collected, collection, i, CallId::None});
  return call;
}

/// Makes the object that the setter takes its value from: the shared one itself, or one that
/// leads to it. What was made for the other side is used again (table 2).
std::vector<ContextDeriver::Placed>
ContextDeriver::prepareSource(const Draft& draft, uint32_t collection, const Placement& placement,
                              const Edges& rest, size_t depth) const {
  CallId call = draft.plan.collections[collection].call;
  uint32_t argument = placement.source.index;
  Operand own{Operand::Collected, collection, argument, CallId::None};
  Edges edges = placement.source.edges;
  edges.insert(edges.end(), rest.begin(), rest.end());
  Need need{call, argument, edges};
  Draft next = draft;
  if (auto known = draft.sources.find(need); known != draft.sources.end()) {
    next.collections += known->second.second;
    return {{std::move(next), known->second.first}};
  }
  if (edges.empty()) {
    if (next.shared && !accepts(calls_[raw(call)], argument, typeOf(next, *next.shared)))
      return {};
    if (!next.shared)
      next.shared = own;
    return {{next, *next.shared}};
  }
  std::vector<Placed> placed;
  if (depth > 0)
    placed = place(next, own, edges, depth - 1, true);
  for (Placed& one : placed)
    one.draft.sources[need] = {one.operand, one.draft.collections - draft.collections};
  if (placed.empty() && !next.shared) { // what the object has already is shared with it
    next.sources[need] = {own, 0};
    placed.push_back({std::move(next), own});
  }
  return placed;
}

std::vector<ContextDeriver::Placed>
ContextDeriver::placeWith(const Draft& draft, const Operand& object, const Edges& edges,
                          const Setter& setter, size_t depth, bool replaceable) const {
  const CallSummary& call = calls_[raw(setter.call)];
  const Placement& placement = call.placements[setter.placement];
  Draft next = draft;
  if (!next.busy.emplace(setter.call, setter.placement).second)
    return {};
  Edges rest(edges.begin() + static_cast<long>(placement.target.edges.size()), edges.end());
  // Table 2 counts what the set-up of an argument needs before the call that takes it.
  next.plan.collections.push_back({setter.call, 0});
  auto collection = static_cast<uint32_t>(next.plan.collections.size() - 1);
  std::vector<Placed> done;
  for (Placed& source : prepareSource(next, collection, placement, rest, depth)) {
    Draft ready = std::move(source.draft);
    if (ready.plan.setup.size() >= kMaxSteps)
      continue;
    ready.plan.collections[collection].number = ++ready.collections;
    PlannedCall step = callOf(ready, collection);
    step.operands[placement.source.index] = source.operand;
    Operand result{Operand::Made, static_cast<uint32_t>(ready.plan.setup.size()), 0, CallId::None};
    bool makes = setter.rank == 1 ||
                 trace_.methods[raw(call.method)].kind == MethodKind::Constructor ||
                 placement.target.root == RootKind::Result;
    if (!makes) {
      Operand& changed = step.operands[placement.target.index];
      if (!replaceable || typeOf(ready, changed) != typeOf(ready, object))
        changed = object;
      result = changed;
    }
    step.heldAt = holdingPoint(call, placement);
    ready.plan.setup.push_back(std::move(step));
    ready.busy.erase({setter.call, setter.placement});
    done.push_back({std::move(ready), result});
  }
  return done;
}

/// Q of figure 10: calls after which `edges` lead from the object to the shared one.
std::vector<ContextDeriver::Placed> ContextDeriver::place(const Draft& draft, const Operand& object,
                                                          const Edges& edges, size_t depth,
                                                          bool replaceable) const {
  std::vector<Placed> found;
  for (const Setter& setter : settersFor(draft, object, edges)) {
    for (Placed& one : placeWith(draft, object, edges, setter, depth, replaceable))
      found.push_back(std::move(one));
    if (found.size() >= kMaxPlans)
      break;
  }
  return found;
}

ContextDeriver::Draft ContextDeriver::begin(const RacingPair& pair) const {
  Draft draft;
  for (size_t side = 0; side < 2; ++side) {
    draft.plan.collections.push_back({pair.sides[side].call, 0});
    draft.plan.sides[side] = callOf(draft, static_cast<uint32_t>(side));
  }
  return draft;
}

void ContextDeriver::finish(Draft draft, std::vector<Plan>& plans) const {
  draft.plan.collections[0].number = draft.collections + 1;
  draft.plan.collections[1].number = draft.collections + 2;
  if (plans.size() < kMaxPlans)
    plans.push_back(std::move(draft.plan));
}

/// Both paths are arguments themselves: one of them is given to both calls.
void ContextDeriver::shareRoots(const RacingPair& pair, const AccessPath& one,
                                const AccessPath& other, std::vector<Plan>& plans) const {
  std::array<uint32_t, 2> arguments{one.index, other.index};
  for (size_t from = 0; from < 2; ++from) {
    size_t to = 1 - from;
    Draft draft = begin(pair);
    Operand shared = draft.plan.sides[from].operands[arguments[from]];
    const CallSummary& target = calls_[raw(pair.sides[to].call)];
    if (takesAlone(target, arguments[to]) ||
        takesAlone(calls_[raw(pair.sides[from].call)], arguments[from]) ||
        !accepts(target, arguments[to], typeOf(draft, shared)))
      continue;
    draft.plan.sides[to].operands[arguments[to]] = shared;
    return finish(std::move(draft), plans);
  }
}

/// A function of the library returns the object that the path leads to.
void ContextDeriver::shareByGetter(const RacingPair& pair, size_t holder, const AccessPath& held,
                                   const AccessPath& root, std::vector<Plan>& plans) const {
  size_t taker = 1 - holder;
  for (const CallSummary& call : calls_)
    for (const Placement& placement : call.placements) {
      Draft draft = begin(pair);
      const Operand& object = draft.plan.sides[holder].operands[held.index];
      bool returnsIt =
          placement.target.root == RootKind::Result && placement.target.edges.empty() &&
          placement.source.root == RootKind::Argument && placement.source.edges == held.edges;
      if (!returnsIt || call.threw ||
          !accepts(call, placement.source.index, typeOf(draft, object)) ||
          !accepts(calls_[raw(pair.sides[taker].call)], root.index, call.result.type))
        continue;
      uint32_t collection = collect(draft, call.call);
      PlannedCall step = callOf(draft, collection);
      step.operands[placement.source.index] = draft.plan.sides[holder].operands[held.index];
      draft.plan.setup.push_back(std::move(step));
      draft.plan.sides[taker].operands[root.index] = {Operand::Made, 0, 0, CallId::None};
      return finish(std::move(draft), plans);
    }
}

/// The object that a path leads to in the sequential test itself, if the test had it in its hands.
std::optional<Operand> ContextDeriver::findObject(const RaceSide& side, const AccessPath& path,
                                                  uint32_t collection) const {
  const CallSummary& call = calls_[raw(side.call)];
  Address object = call.values[path.index].object;
  for (const std::string& edge : path.edges) {
    auto next = call.entryEdges.find({object, edge});
    if (next == call.entryEdges.end())
      return std::nullopt;
    object = next->second;
  }
  for (size_t i = raw(side.call); i-- > 0 && calls_[i].test == call.test;) {
    const CallSummary& before = calls_[i];
    bool destroys = trace_.methods[raw(before.method)].kind == MethodKind::Destructor;
    auto isIt = [&](const Value& value) {
      return value.kind == ValueKind::Object && value.object == object;
    };
    for (uint32_t argument = 0; argument < before.values.size(); ++argument)
      if (isIt(before.values[argument]))
        return destroys || takesAlone(before, argument)
                   ? std::nullopt
                   : std::optional(Operand{Operand::Found, collection, argument, before.call});
    if (isIt(before.result))
      return Operand{Operand::Found, collection, kResultOperand, before.call};
  }
  return std::nullopt;
}

/// One side stays as its test made it, and the other is given what is there.
void ContextDeriver::bringToOther(const RacingPair& pair, const AccessPath& one,
                                  const AccessPath& other, std::vector<Plan>& plans) const {
  std::array<const AccessPath*, 2> paths{&one, &other};
  for (uint32_t keeps = 0; keeps < 2; ++keeps) {
    uint32_t gets = 1 - keeps;
    if (paths[keeps]->edges.empty() || paths[gets]->edges.empty())
      continue;
    Draft draft = begin(pair);
    draft.shared = findObject(pair.sides[keeps], *paths[keeps], keeps);
    if (!draft.shared)
      continue;
    Operand object = draft.plan.sides[gets].operands[paths[gets]->index];
    for (Placed& placed : place(draft, object, paths[gets]->edges, kMaxNesting, false)) {
      placed.draft.plan.sides[gets].operands[paths[gets]->index] = placed.operand;
      finish(std::move(placed.draft), plans);
    }
  }
}

/// Shares what is at the two paths.
void ContextDeriver::bring(const RacingPair& pair, const AccessPath& one, const AccessPath& other,
                           std::vector<Plan>& plans) const {
  if (one.root != RootKind::Argument || other.root != RootKind::Argument)
    return;
  if (one.edges.empty() && other.edges.empty())
    return shareRoots(pair, one, other, plans);
  Draft draft = begin(pair);
  if (one.edges.empty())
    draft.shared = draft.plan.sides[0].operands[one.index];
  if (other.edges.empty())
    draft.shared = draft.plan.sides[1].operands[other.index];
  std::vector<Placed> first{{draft, draft.plan.sides[0].operands[one.index]}};
  if (!one.edges.empty())
    first = place(draft, first.front().operand, one.edges, kMaxNesting, false);
  auto makes = [&](const Draft& one) {
    return std::ranges::any_of(one.plan.sides, [&](const PlannedCall& side) {
      return std::ranges::any_of(side.operands,
                                 [](const Operand& it) { return it.kind == Operand::Made; });
    });
  };
  std::vector<Draft> anew; // they lose the state that the sequential test gave the object
  for (Placed& left : first) {
    left.draft.plan.sides[0].operands[one.index] = left.operand;
    std::vector<Placed> second{left};
    second.front().operand = left.draft.plan.sides[1].operands[other.index];
    if (!other.edges.empty())
      second = place(left.draft, second.front().operand, other.edges, kMaxNesting, false);
    for (Placed& both : second) {
      both.draft.plan.sides[1].operands[other.index] = both.operand;
      if (makes(both.draft))
        anew.push_back(std::move(both.draft));
      else
        finish(std::move(both.draft), plans);
    }
  }
  bringToOther(pair, one, other, plans);
  for (Draft& one : anew)
    finish(std::move(one), plans);
  if (other.edges.empty())
    shareByGetter(pair, 0, one, other, plans);
  if (one.edges.empty())
    shareByGetter(pair, 1, other, one, plans);
}

std::vector<Plan> ContextDeriver::derive(const RacingPair& pair) const {
  std::vector<Plan> plans;
  finish(begin(pair), plans); // what is shared anyway: globals
  AccessPath one = pair.sides[0].owner;
  AccessPath other = pair.sides[1].owner;
  bring(pair, one, other, plans);
  while (!one.edges.empty() && !other.edges.empty() && one.edges.back() == other.edges.back()) {
    one.edges.pop_back();
    other.edges.pop_back();
    bring(pair, one, other, plans);
  }
  return plans;
}

std::string ContextDeriver::obstacle(const RaceSide& side) const {
  const CallSummary& call = calls_[raw(side.call)];
  if (side.owner.root != RootKind::Argument)
    return "nothing that a client gives leads to the object";
  const Value& root = call.values[side.owner.index];
  if (side.owner.edges.empty())
    return takesAlone(call, side.owner.index)
               ? "the argument is given away by the call, so two threads cannot both have it"
               : "the object is a copy of the argument, so two calls never share it";
  std::string member = trace_.types[root.type].name + "::" + side.owner.edges.front();
  for (const CallSummary& other : calls_)
    for (const Placement& placement : other.placements) {
      if (placement.target.edges != side.owner.edges)
        continue;
      if (isOwned(other, placement.target))
        return member + " owns what it points at: two owners would free it twice";
      if (placement.exclusive || takesAlone(other, placement.source.index))
        return member + " is the only owner of what it points at";
    }
  return "no recorded call brings an object of the client to " + member;
}

} // namespace heddle::synth
