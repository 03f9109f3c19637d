#include "static/points_to/points_to.h"

#include "model/ids.h"

#include <algorithm>

#include <malloc.h>

using namespace llvm;

namespace heddle::analysis {
namespace {

// A function's contexts beyond these share one: what is large and called from everywhere (logging,
// formatting) would otherwise be most of the work and say nothing. What is small and called from
// everywhere (locking) has its contexts also in a large program.
constexpr size_t kMaxVariablesOfAFunction = 200000;
constexpr size_t kVariablesPerInstruction = 4;
constexpr size_t kFewContexts = 16;

/// Gives back the memory of containers; assigning {} would keep a vector's.
template <typename... Container> void release(Container&... containers) {
  ((containers = Container()), ...);
}

} // namespace

PointsTo::PointsTo(const Module& module, ProgramConstraints& constraints, PointsToOptions options)
    : module_(module), constraints_(constraints), options_(std::move(options)),
      layouts_(constraints.layouts()) {
  thrown_ = newNode(raw(InstanceId::None));
  mostVariables_ =
      std::max(kMaxVariablesOfAFunction, kVariablesPerInstruction * module.getInstructionCount());
}

PointsTo::~PointsTo() = default;

// --- nodes

NodeId PointsTo::newNode(uint32_t instance) {
  nodes_.emplace_back();
  nodes_.back().instance = instance;
  return static_cast<NodeId>(nodes_.size() - 1);
}

NodeId PointsTo::constantNode(uint32_t index) {
  if (constantNodes_.size() <= index)
    constantNodes_.resize(std::max<size_t>(constraints_.constantCount(), index + 1), kNoNode);
  if (constantNodes_[index] != kNoNode)
    return constantNodes_[index];
  NodeId node = newNode(raw(InstanceId::None));
  constantNodes_[index] = node;
  SmallVector<ConstantAddress, 1> addresses = constraints_.constant(index);
  for (const ConstantAddress& address : addresses) {
    ObjectId object = globalObject(*address.global);
    LocationId location = locationOf(object, address.step.offset, 0, 0);
    if (location != LocationId::None)
      add(node, location);
  }
  return node;
}

NodeId PointsTo::nodeOf(InstanceId instance, Operand operand) {
  if (operand == kNoOperand)
    return kNoNode;
  return isVariable(operand) ? instances_[raw(instance)].first + operand
                             : constantNode(constantIndex(operand));
}

bool PointsTo::fits(const PointeeLimit& limit, LocationId id) {
  using Kind = CellContent::Kind;
  const Location& at = location(id);
  const Object& object = objects_[raw(at.object)];
  if (object.size && limit.bytes && at.offset + limit.bytes > object.size)
    return false;
  switch (limit.content.kind) {
  case Kind::Anything:
    return true;
  case Kind::Number:
    return object.kind == ObjectKind::Iteration || object.kind == ObjectKind::Thread;
  case Kind::Vtable:
    return object.isVtable;
  case Kind::Function:
    return object.kind == ObjectKind::Function;
  default:
    break;
  }
  if (object.kind == ObjectKind::Function || object.kind == ObjectKind::Thread ||
      object.kind == ObjectKind::Iteration || object.isVtable)
    return false;
  bool text = limit.content.kind == Kind::Text || limit.content.kind == Kind::OwnText;
  if (object.isText)
    return text;
  if (!object.type || object.collapsed)
    return true;
  if (limit.content.kind == Kind::OwnText && layouts_.isInString(object.type, at.offset))
    return false; // another string's; its own is there from the start
  if (text)
    return layouts_.mayHoldText(object.type, at.offset);
  Kind held = layouts_.contentAt(object.type, at.offset).kind;
  if (limit.content.kind == Kind::Address)
    return held != Kind::Number;
  if (limit.content.kind == Kind::Scalar)
    return held == Kind::Number || held == Kind::Anything;
  return layouts_.mayHold(object.type, at.offset, limit.content.pointee);
}

/// Whether the location can be the member of an object of its class.
bool PointsTo::isOf(LocationId id, const MemberPlace& member) {
  if (!member.owner)
    return true;
  const Location& at = location(id);
  const Object& object = objects_[raw(at.object)];
  if (object.collapsed || !object.type)
    return true;
  if (at.offset < member.offset)
    return at.stride != 0;
  return layouts_.mayHold(object.type, at.offset - member.offset, member.owner);
}

void PointsTo::enqueue(NodeId node, bool urgent) {
  if (nodes_[node].queued)
    return;
  nodes_[node].queued = true;
  // Indices first: an address that is computed before its index is known counts for all elements.
  (urgent ? urgent_ : next_).push_back(node);
}

void PointsTo::add(NodeId node, LocationId location) {
  Node& target = nodes_[node];
  if (target.set.contains(raw(location)) || (target.limit && !fits(target.limit->what, location)))
    return;
  target.set.insert(raw(location));
  target.fresh.insert(raw(location));
  enqueue(node, objectOf(location).kind == ObjectKind::Iteration);
}

void PointsTo::addAll(NodeId node, const LocationSet& locations) {
  Node& target = nodes_[node];
  uint32_t before = target.set.size();
  if (target.limit) {
    const PointeeLimit& what = target.limit->what;
    LocationSet passed = target.limit->filter.apply(
        locations, [&](uint32_t each) { return fits(what, static_cast<LocationId>(each)); });
    target.set.unite(passed, target.fresh);
  } else
    target.set.unite(locations, target.fresh);
  if (target.set.size() != before)
    enqueue(node, target.fresh.intersects(iterations_));
}

void PointsTo::addEdge(NodeId from, NodeId to) {
  if (from == kNoNode || to == kNoNode || from == to)
    return;
  if (!knownEdges_.insert(uint64_t{from} << 32 | to).second)
    return;
  nodes_[from].targets.push_back(to);
  addAll(to, nodes_[from].set);
}

void PointsTo::addWatcher(NodeId node, Watcher watcher) {
  uint64_t key = mix(mix(node, raw(watcher.instance)), watcher.call);
  key = mix(mix(key, raw(watcher.receiver)), reinterpret_cast<uintptr_t>(watcher.function));
  if (!knownWatchers_.insert(key).second)
    return;
  uint32_t index = watchers_.size();
  watchers_.push_back(watcher);
  nodes_[node].watchers.push_back(index);
  LocationSet all = nodes_[node].set; // it may grow meanwhile
  all.each([&](uint32_t each) { handleWatcher(watcher, static_cast<LocationId>(each)); });
}

void PointsTo::process(NodeId id) {
  LocationSet fresh;
  std::swap(fresh, nodes_[id].fresh);
  nodes_[id].queued = false;
  for (size_t i = 0; i < nodes_[id].targets.size(); ++i)
    addAll(nodes_[id].targets[i], fresh);
  if (nodes_[id].instance != raw(InstanceId::None)) {
    auto instance = static_cast<InstanceId>(nodes_[id].instance);
    const FunctionConstraints& body = *instances_[raw(instance)].body;
    uint32_t variable = id - instances_[raw(instance)].first;
    for (uint32_t c = body.firstCopy[variable]; c < body.firstCopy[variable + 1]; ++c)
      addAll(instances_[raw(instance)].first + body.copies[c], fresh);
    for (uint32_t w = body.firstWatched[variable]; w < body.firstWatched[variable + 1]; ++w)
      handleWatched(instance, body.watched[w], variable, fresh);
  }
  // New ones look at everything themselves.
  size_t watchers = nodes_[id].watchers.size();
  for (size_t i = 0; i < watchers; ++i) {
    Watcher watcher = watchers_[nodes_[id].watchers[i]];
    fresh.each([&](uint32_t each) { handleWatcher(watcher, static_cast<LocationId>(each)); });
  }
}

void PointsTo::handleWatched(InstanceId instance, uint32_t index, uint32_t variable,
                             const LocationSet& fresh) {
  const Op& op = instances_[raw(instance)].body->ops[index];
  fresh.each([&](uint32_t value) {
    auto each = static_cast<LocationId>(value);
    if (op.kind == OpKind::Call)
      handleCall(instance, op.index, each);
    else if (op.kind == OpKind::Move && op.pointer != variable)
      handleIndex(instance, index);
    else
      handleOp(instance, index, each, op.kind == OpKind::CopyMemory && op.pointer != variable);
  });
}

// --- instances

InstanceId PointsTo::instanceOf(const Function& function, ContextId context, bool transient) {
  const FunctionConstraints& body = constraints_.of(function);
  auto key = [&] {
    return std::pair{&function, uint64_t{static_cast<uint32_t>(context)} << 1 | transient};
  };
  if (auto found = instanceIds_.find(key()); found != instanceIds_.end())
    return found->second;
  uint32_t& count = instanceCounts_[&function];
  size_t most = std::max(mostVariables_ / (body.variables + 1), kFewContexts);
  if (count >= most) {
    InstanceId shared;
    context = ContextId::Empty;
    if (auto found = instanceIds_.find(key()); found != instanceIds_.end())
      shared = found->second;
    else
      return count = 0, instanceOf(function, context, transient);
    return shared;
  }
  ++count;
  auto id = static_cast<InstanceId>(instances_.size());
  instanceIds_[key()] = id;
  auto first = static_cast<NodeId>(nodes_.size());
  for (uint32_t i = 0; i < body.variables; ++i)
    newNode(raw(id));
  for (size_t i = 0; i < body.parameters.size(); ++i)
    if (const PointeeLimit& limit = body.limits[i];
        body.parameters[i] != kNoOperand && (limit.content.pointee || limit.bytes))
      nodes_[first + body.parameters[i]].limit = limitFor(limit.content, limit.bytes);
  for (auto [variable, content] : body.contents)
    if (!nodes_[first + variable].limit)
      nodes_[first + variable].limit = limitFor(content);
  instances_.push_back({&body, context, transient, first});
  toStart_.push_back(id);
  return id;
}

void PointsTo::start(InstanceId id) {
  const FunctionConstraints& body = *instances_[raw(id)].body;
  for (Operand constant : body.constants)
    constantNode(constantIndex(constant));
  for (auto [constant, variable] : body.constantCopies)
    addEdge(nodeOf(id, constant), nodeOf(id, variable));
  for (uint32_t op : body.unconditional)
    handleUnconditional(id, op);
}

void PointsTo::handleUnconditional(InstanceId id, uint32_t index) {
  const FunctionConstraints& body = *instances_[raw(id)].body;
  const Op& op = body.ops[index];
  switch (op.kind) {
  case OpKind::Local: {
    const AllocaInst& local = *body.locals[op.index];
    auto bytes = local.getAllocationSize(constraints_.layout());
    ObjectId object = madeObject(ObjectKind::Local, local, id,
                                 bytes && !bytes->isScalable() ? bytes->getFixedValue() : 0);
    LocationId start = locationOf(object, 0, 0, 0);
    if (start != LocationId::None)
      add(nodeOf(id, op.other), start);
    break;
  }
  case OpKind::Iteration:
    add(nodeOf(id, op.other),
        locationOf(madeObject(ObjectKind::Iteration, *op.iteration, id, 1), 0, 0, 0));
    break;
  case OpKind::Load:
  case OpKind::Store:
  case OpKind::Move:
  case OpKind::NextIteration:
    for (LocationId each : constantValues(op.pointer))
      handleOp(id, index, each, false);
    break;
  case OpKind::CopyMemory:
    for (LocationId each : constantValues(op.pointer))
      handleOp(id, index, each, false);
    break;
  case OpKind::Call:
    startCall(id, op.index);
    break;
  }
}

/// The part of a call that is done once.
void PointsTo::startCall(InstanceId id, uint32_t index) {
  const CallOp& call = instances_[raw(id)].body->calls[index];
  if (call.model)
    return handleModel(id, index, /*first=*/true);
  if (!call.callee) {
    Operand decides = call.slot >= 0 ? call.arguments[call.receiver] : call.pointer;
    for (LocationId each : constantValues(decides))
      handleCall(id, index, each);
    return;
  }
  if (!hasBody(*call.callee)) {
    unknown_.try_emplace(call.callee, call.instruction);
    return;
  }
  const FunctionConstraints& callee = constraints_.of(*call.callee);
  if (!callee.member || callee.receiver >= call.arguments.size())
    return callFunction(id, index, *call.callee, LocationId::None, EdgeKind::Call);
  for (LocationId each : constantValues(call.arguments[callee.receiver]))
    callFunction(id, index, *call.callee, each, EdgeKind::Call);
}

/// What a constant leads to; nothing for a variable.
std::vector<LocationId> PointsTo::constantValues(Operand operand) {
  std::vector<LocationId> values;
  if (isConstant(operand))
    for (uint32_t value : nodes_[constantNode(constantIndex(operand))].set.values())
      values.push_back(static_cast<LocationId>(value));
  return values;
}

void PointsTo::handleOp(InstanceId id, uint32_t index, LocationId each, bool viaOther) {
  const Op& op = instances_[raw(id)].body->ops[index];
  switch (op.kind) {
  case OpKind::Load: {
    if (!isOf(each, op.member))
      break;
    LocationId at = op.step.isZero() ? each : moved(each, op.step);
    if (at != LocationId::None)
      addEdge(readNode(at), nodeOf(id, op.other));
    break;
  }
  case OpKind::Store: {
    if ((op.vtable && instances_[raw(id)].transient) || !isOf(each, op.member))
      break;
    LocationId at = op.step.isZero() ? each : moved(each, op.step);
    if (at != LocationId::None)
      addEdge(nodeOf(id, op.other), writeNode(at));
    break;
  }
  case OpKind::Move: {
    uint64_t key = uint64_t{raw(id)} << 32 | index;
    if (op.by != kNoOperand && isVariable(op.by) && nodes_[nodeOf(id, op.by)].set.empty() &&
        !knownUnindexed_.contains(key)) {
      unindexed_.push_back({id, index});
      break;
    }
    LocationId at = moved(each, op.step, iterationOf(id, op.by));
    if (at != LocationId::None)
      add(nodeOf(id, op.other), at);
    break;
  }
  case OpKind::NextIteration: {
    LocationId at = moved(each, op.step, madeObject(ObjectKind::Iteration, *op.iteration, id, 1));
    if (at != LocationId::None)
      add(nodeOf(id, op.other), at);
    break;
  }
  case OpKind::CopyMemory:
    copyMemory(id, index, each, viaOther);
    break;
  case OpKind::Local:
  case OpKind::Iteration:
  case OpKind::Call:
    break;
  }
}

/// An index has turned out to be something: its addresses are computed anew.
void PointsTo::handleIndex(InstanceId id, uint32_t index) {
  const Op& op = instances_[raw(id)].body->ops[index];
  std::vector<uint32_t> places = nodes_[nodeOf(id, op.pointer)].set.values();
  for (uint32_t place : places)
    handleOp(id, index, static_cast<LocationId>(place), false);
}

/// Nothing says what these indices are: they are any.
void PointsTo::handleUnindexed() {
  std::vector<std::pair<InstanceId, uint32_t>> all;
  all.swap(unindexed_);
  for (auto [id, index] : all)
    if (knownUnindexed_.insert(uint64_t{raw(id)} << 32 | index).second)
      handleIndex(id, index);
}

// --- solving

void PointsTo::solve(std::span<const Function* const> entries) {
  for (const Function* entry : entries) {
    InstanceId instance = instanceOf(*entry, ContextId::Empty, false);
    entryInstances_.push_back(instance);
  }
  size_t steps = 0;
  while (!toStart_.empty() || !queue_.empty() || !uncopied_.empty() || !next_.empty() ||
         !urgent_.empty() || !unindexed_.empty()) {
    while (!toStart_.empty()) {
      InstanceId instance = toStart_.back();
      toStart_.pop_back();
      start(instance);
    }
    copyNewCells();
    if (queue_.empty())
      queue_.swap(next_);
    std::vector<NodeId>& first = urgent_.empty() ? queue_ : urgent_;
    if (first.empty()) {
      if (toStart_.empty())
        handleUnindexed();
      continue;
    }
    NodeId node = first.back();
    first.pop_back();
    process(node);
    if (++steps % 4096 == 0 && options_.progress)
      options_.progress(instances_.size());
  }
  finish();
}

/// Keeps each different set once, as a list.
void PointsTo::finish() {
  llvm::DenseMap<uint64_t, SmallVector<uint32_t, 1>> byHash;
  solvedOf_.resize(nodes_.size());
  solved_.emplace_back();
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    Node& node = nodes_[id];
    if (node.set.empty())
      continue;
    uint64_t hash = node.set.size();
    for (const LocationSet::Word& word : node.set.words())
      hash = mix(mix(hash, word.index), word.bits);
    std::vector<uint32_t> values = node.set.values();
    auto& same = byHash[hash >> 1]; // the map keeps two keys for itself
    auto found = std::find_if(same.begin(), same.end(),
                              [&](uint32_t each) { return solved_[each] == values; });
    if (found == same.end()) {
      same.push_back(static_cast<uint32_t>(solved_.size()));
      solved_.push_back(std::move(values));
      found = same.end() - 1;
    }
    solvedOf_[id] = *found;
    node.set = node.fresh = {};
  }
  // What only the solving needs is a third of all: the other analyses have to find room.
  release(nodes_, queue_, next_, urgent_, toStart_, watchers_, unindexed_, copyRules_, uncopied_);
  release(knownEdges_, knownWatchers_, knownRules_, knownCalls_, knownUnindexed_, copies_, made_);
  release(locationIds_, instanceIds_, instanceCounts_, limits_);
  malloc_trim(0);
}

std::span<const uint32_t> PointsTo::pointees(InstanceId instance, Operand operand) const {
  if (operand == kNoOperand)
    return {};
  NodeId node = isVariable(operand) ? instances_[raw(instance)].first + operand
                : constantIndex(operand) < constantNodes_.size()
                    ? constantNodes_[constantIndex(operand)]
                    : kNoNode;
  if (node == kNoNode)
    return {};
  return solved_[solvedOf_[node]];
}

std::span<const uint32_t> PointsTo::pointees(InstanceId instance, const Value* value) const {
  if (auto* constant = dyn_cast<Constant>(value))
    return pointees(instance, constraints_.constantOperand(*constant));
  return pointees(instance, instances_[raw(instance)].body->operandOf(value));
}

LocationId PointsTo::find(LocationId from, int64_t bytes) const {
  const Location& base = location(from);
  if (bytes == 0)
    return from;
  for (LocationId each : object(base.object).locations)
    if (const Location& at = location(each);
        int64_t{at.offset} == base.offset + bytes && at.stride == base.stride)
      return each;
  return LocationId::None;
}

std::span<const uint32_t> PointsTo::contents(LocationId id) const {
  NodeId node = location(id).read;
  if (node == kNoNode)
    return {};
  return solved_[solvedOf_[node]];
}

} // namespace heddle::analysis
