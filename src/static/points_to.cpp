#include "static/points_to.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

#include <chrono>
#include <numeric>

using namespace llvm;

namespace heddle::analysis {
namespace {

// An object with more parts is one in which a pointer walks, or whose layout is not worth more.
constexpr size_t kMostLocations = 512;
constexpr size_t kMostLocationsOfUnknownSize = 64;
// A function's contexts beyond these share one: what is large and called from everywhere (logging,
// formatting) would otherwise be most of the work and say nothing.
constexpr size_t kMostVariablesOfAFunction = 200000;
constexpr size_t kFewContexts = 16;
constexpr size_t kMostContexts = 4096;

uint64_t sizeOf(Type* type, const DataLayout& layout) {
  return type->isSized() ? layout.getTypeAllocSize(type).getFixedValue() : 0;
}

uint64_t allocatedBytes(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee || call.arg_size() == 0)
    return 0;
  auto* size = dyn_cast<ConstantInt>(call.getArgOperand(0));
  StringRef name = callee->getName();
  bool plain = name == "malloc" || name.starts_with("_Znwm") || name.starts_with("_Znam");
  return size && plain ? size->getZExtValue() : 0;
}

} // namespace

bool overlap(const Location& one, const Location& other) {
  if (one.stride == 0 && other.stride == 0)
    return one.offset == other.offset;
  auto end = [](const Location& location) -> uint64_t {
    if (location.stride == 0)
      return uint64_t{location.offset} + 1;
    return location.extent ? uint64_t{location.offset} + location.extent : UINT64_MAX;
  };
  if (one.offset >= end(other) || other.offset >= end(one))
    return false;
  uint32_t stride = std::gcd(one.stride, other.stride);
  return (int64_t{one.offset} - int64_t{other.offset}) % int64_t{stride} == 0;
}

PointsTo::PointsTo(const Module& module, Bodies& bodies, PointsToOptions options)
    : module_(module), bodies_(bodies), options_(std::move(options)) {
  thrown_ = newNode(raw(InstanceId::None));
}

PointsTo::~PointsTo() = default;

// --- objects and locations

ObjectId PointsTo::newObject(ObjectKind kind, const Value* site, ContextId context, uint64_t size,
                             InstanceId creator) {
  auto id = static_cast<ObjectId>(objects_.size());
  bool typed = kind == ObjectKind::Global || kind == ObjectKind::Local || kind == ObjectKind::Heap;
  objects_.push_back(
      {kind, site, context, creator, size, false, typed ? objectType(*site) : nullptr, {}});
  copyRules_.emplace_back();
  return id;
}

ObjectId PointsTo::globalObject(const GlobalValue& global) {
  if (auto found = globals_.find(&global); found != globals_.end())
    return found->second;
  bool function = isa<Function>(global);
  uint64_t size = function ? 1 : sizeOf(global.getValueType(), bodies_.layout());
  ObjectId object = newObject(function ? ObjectKind::Function : ObjectKind::Global, &global,
                              ContextId::Empty, size, InstanceId::None);
  globals_[&global] = object;
  auto* variable = dyn_cast<GlobalVariable>(&global);
  if (variable && variable->hasInitializer() && !isVtable(*variable))
    initialise(object, *variable->getInitializer(), 0);
  return object;
}

void PointsTo::initialise(ObjectId object, const Constant& value, uint64_t offset) {
  const DataLayout& layout = bodies_.layout();
  if (!carriesAddress(value.getType()) || isa<ConstantData>(value))
    return;
  if (auto* structure = dyn_cast<ConstantStruct>(&value)) {
    const StructLayout* parts = layout.getStructLayout(structure->getType());
    for (unsigned i = 0; i < structure->getNumOperands(); ++i)
      initialise(object, *structure->getOperand(i), offset + parts->getElementOffset(i));
    return;
  }
  if (auto* array = dyn_cast<ConstantArray>(&value)) {
    uint64_t size = sizeOf(array->getType()->getElementType(), layout);
    for (unsigned i = 0; i < array->getNumOperands(); ++i)
      initialise(object, *array->getOperand(i), offset + i * size);
    return;
  }
  Operand operand = bodies_.constantOperand(value);
  if (operand == kNoOperand)
    return;
  LocationId location = locationOf(object, static_cast<int64_t>(offset), 0, 0);
  if (location != LocationId::None)
    addEdge(constantNode(constantIndex(operand)), writeNode(location));
}

LocationId PointsTo::locationOf(ObjectId id, int64_t offset, uint32_t stride, uint32_t extent,
                                ObjectId round) {
  Object* object = &objects_[raw(id)];
  if (offset < 0 || offset > UINT32_MAX || (object->size && uint64_t(offset) >= object->size))
    return LocationId::None;
  if (object->collapsed) {
    offset = 0;
    stride = 1;
    extent = 0;
  }
  if (stride && object->size && offset + uint64_t{stride} >= object->size)
    stride = 0;
  if (stride && extent && extent <= stride)
    stride = 0;
  if (stride == 0 || (object->size && extent && offset + uint64_t{extent} >= object->size))
    extent = 0;
  if (stride == 0 || object->collapsed)
    round = kNoRound;
  std::pair<std::pair<uint64_t, uint64_t>, uint32_t> key{
      {uint64_t{raw(id)} << 32 | uint64_t(offset), uint64_t{stride} << 32 | extent}, raw(round)};
  auto next = static_cast<LocationId>(locations_.size());
  auto [found, isNew] = locationIds_.try_emplace(key, next);
  if (!isNew)
    return found->second;
  size_t most = object->size ? kMostLocations : kMostLocationsOfUnknownSize;
  if (object->locations.size() >= most && !object->collapsed) {
    locationIds_.erase(found);
    object->collapsed = true;
    return locationOf(id, 0, 1, 0);
  }
  locations_.push_back({id, static_cast<uint32_t>(offset), stride, extent, round});
  object->locations.push_back(next);
  return next;
}

LocationId PointsTo::moved(LocationId from, const Step& step, ObjectId round) {
  const Location& base = location(from);
  uint32_t stride = step.stride ? std::gcd(base.stride, step.stride) : base.stride;
  uint32_t extent = base.stride ? base.extent : step.extent;
  const Object& object = objects_[raw(base.object)];
  if (object.kind == ObjectKind::Function || object.kind == ObjectKind::Round)
    return LocationId::None;
  if (step.stride == 0)
    round = base.round;
  else if (base.stride)
    round = kNoRound; // a row of rows
  if (step.stride && !base.stride && !extent && object.type && step.offset == 0)
    if (uint64_t end = layouts_.arrayEnd(object.type, base.offset, step.stride))
      extent = end - base.offset;
  return locationOf(base.object, int64_t{base.offset} + step.offset, stride, extent, round);
}

/// The loop whose round an index is the number of; none when it can be anything else.
ObjectId PointsTo::roundOf(InstanceId instance, Operand index) const {
  if (index == kNoOperand || !isVariable(index))
    return kNoRound;
  const LocationSet& values = nodes_[instances_[raw(instance)].first + index].set;
  if (values.size() != 1)
    return kNoRound;
  const Location& only = location(static_cast<LocationId>(values[0]));
  return object(only.object).kind == ObjectKind::Round ? only.object : kNoRound;
}

ObjectId PointsTo::roundObject(InstanceId instance, const PHINode& phi) {
  ContextId context = instances_[raw(instance)].context;
  std::pair<const Value*, uint64_t> key{&phi, static_cast<uint32_t>(context)};
  if (auto found = made_.find(key); found != made_.end())
    return found->second;
  ObjectId object = newObject(ObjectKind::Round, &phi, context, 1, instance);
  return made_[key] = object;
}

void PointsTo::makeCells(LocationId id) {
  if (locations_[raw(id)].read != kNoNode)
    return;
  NodeId read = newNode(raw(InstanceId::None));
  NodeId write = locations_[raw(id)].stride ? newNode(raw(InstanceId::None)) : read;
  locations_[raw(id)].read = read;
  locations_[raw(id)].write = write;
  if (write != read)
    addEdge(write, read);
  ObjectId object = locations_[raw(id)].object;
  for (size_t i = 0; i < objects_[raw(object)].locations.size(); ++i) {
    LocationId other = objects_[raw(object)].locations[i];
    if (other == id || location(other).read == kNoNode || !overlap(location(id), location(other)))
      continue;
    addEdge(write, location(other).read);
    addEdge(location(other).write, read);
  }
  for (size_t i = 0; i < copyRules_[raw(object)].size(); ++i) {
    CopyRule rule = copyRules_[raw(object)][i];
    applyRule(rule, id);
  }
}

NodeId PointsTo::readNode(LocationId id) {
  makeCells(id);
  return location(id).read;
}

NodeId PointsTo::writeNode(LocationId id) {
  makeCells(id);
  return location(id).write;
}

void PointsTo::copyObject(LocationId to, LocationId from, uint64_t length) {
  ObjectId source = location(from).object;
  CopyRule rule{location(to).object, int64_t{location(to).offset} - int64_t{location(from).offset},
                location(from).offset, length};
  if (rule.target == source && rule.delta == 0)
    return;
  auto& rules = copyRules_[raw(source)];
  if (std::find(rules.begin(), rules.end(), rule) != rules.end())
    return;
  rules.push_back(rule);
  for (size_t i = 0; i < objects_[raw(source)].locations.size(); ++i) {
    LocationId each = objects_[raw(source)].locations[i];
    if (location(each).read != kNoNode)
      applyRule(rule, each);
  }
}

void PointsTo::applyRule(const CopyRule& rule, LocationId from) {
  const Location source = location(from);
  bool whole = source.stride == 1 && source.offset == 0;
  if (!whole &&
      (source.offset < rule.from || (rule.length && source.offset >= rule.from + rule.length)))
    return;
  LocationId target = locationOf(
      rule.target, whole ? int64_t{rule.from} + rule.delta : int64_t{source.offset} + rule.delta,
      source.stride, source.extent);
  if (target != LocationId::None && target != from)
    addEdge(readNode(from), writeNode(target));
}

// --- nodes

NodeId PointsTo::newNode(uint32_t instance) {
  nodes_.emplace_back();
  nodes_.back().instance = instance;
  return static_cast<NodeId>(nodes_.size() - 1);
}

NodeId PointsTo::constantNode(uint32_t index) {
  if (constantNodes_.size() <= index)
    constantNodes_.resize(std::max<size_t>(bodies_.constantCount(), index + 1), kNoNode);
  if (constantNodes_[index] != kNoNode)
    return constantNodes_[index];
  NodeId node = newNode(raw(InstanceId::None));
  constantNodes_[index] = node;
  SmallVector<ConstantAddress, 1> addresses = bodies_.constant(index);
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

bool PointsTo::fits(const ParameterLimit& limit, LocationId id) {
  const Location& at = location(id);
  const Object& object = objects_[raw(at.object)];
  if (object.size && limit.bytes && at.offset + limit.bytes > object.size)
    return false;
  if (!limit.type || !object.type || object.collapsed)
    return true;
  return layouts_.mayHold(object.type, at.offset, limit.type);
}

void PointsTo::add(NodeId node, LocationId location) {
  Node& target = nodes_[node];
  if (target.limit && !target.set.contains(raw(location)) && !fits(*target.limit, location))
    return;
  if (!target.set.insert(raw(location)) || target.queued)
    return;
  target.queued = true;
  // Indices first: an address that is computed before its index is known counts for all elements.
  bool index = objectOf(location).kind == ObjectKind::Round;
  (index ? urgent_ : next_).push_back(node);
}

void PointsTo::addEdge(NodeId from, NodeId to) {
  if (from == kNoNode || to == kNoNode || from == to)
    return;
  if (!knownEdges_.try_emplace(uint64_t{from} << 32 | to, 0).second)
    return;
  nodes_[from].targets.push_back(to);
  // What is not passed on yet will be, by the queue.
  for (uint32_t i = 0; i < nodes_[from].done; ++i)
    add(to, static_cast<LocationId>(nodes_[from].set[i]));
}

void PointsTo::addWatcher(NodeId node, Watcher watcher) {
  uint32_t index = watchers_.size();
  watchers_.push_back(watcher);
  nodes_[node].watchers.push_back(index);
  for (uint32_t i = 0; i < nodes_[node].done; ++i)
    handleWatcher(watcher, static_cast<LocationId>(nodes_[node].set[i]));
}

void PointsTo::process(NodeId id) {
  uint32_t begin = nodes_[id].done;
  uint32_t end = nodes_[id].set.size();
  nodes_[id].done = end;
  nodes_[id].queued = false;
  const auto& values = nodes_[id].set.values();
  SmallVector<LocationId, 16> fresh;
  for (uint32_t i = begin; i < end; ++i)
    fresh.push_back(static_cast<LocationId>(values[i]));

  for (size_t i = 0; i < nodes_[id].targets.size(); ++i) {
    NodeId target = nodes_[id].targets[i];
    for (LocationId each : fresh)
      add(target, each);
  }
  if (nodes_[id].instance != raw(InstanceId::None)) {
    auto instance = static_cast<InstanceId>(nodes_[id].instance);
    const Body& body = *instances_[raw(instance)].body;
    uint32_t variable = id - instances_[raw(instance)].first;
    for (uint32_t c = body.firstCopy[variable]; c < body.firstCopy[variable + 1]; ++c)
      for (LocationId each : fresh)
        add(instances_[raw(instance)].first + body.copies[c], each);
    for (uint32_t w = body.firstWatched[variable]; w < body.firstWatched[variable + 1]; ++w) {
      const Op& op = body.ops[body.watched[w]];
      for (LocationId each : fresh) {
        if (op.kind == OpKind::Call)
          handleCall(instance, op.index, each);
        else if (op.kind == OpKind::Move && op.pointer != variable)
          handleIndex(instance, body.watched[w]);
        else
          handleOp(instance, body.watched[w], each,
                   op.kind == OpKind::CopyMemory && op.pointer != variable);
      }
    }
  }
  // New ones look at everything themselves.
  size_t watchers = nodes_[id].watchers.size();
  for (size_t i = 0; i < watchers; ++i) {
    Watcher watcher = watchers_[nodes_[id].watchers[i]];
    for (LocationId each : fresh)
      handleWatcher(watcher, each);
  }
}

// --- instances

InstanceId PointsTo::instanceOf(const Function& function, ContextId context, bool transient) {
  const Body& body = bodies_.of(function);
  auto key = [&] {
    return std::pair{&function, uint64_t{static_cast<uint32_t>(context)} << 1 | transient};
  };
  if (auto found = instanceIds_.find(key()); found != instanceIds_.end())
    return found->second;
  uint32_t& count = instanceCounts_[&function];
  size_t most = std::clamp<size_t>(kMostVariablesOfAFunction / (body.variables + 1), kFewContexts,
                                   kMostContexts);
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
    if (body.parameters[i] != kNoOperand && (body.limits[i].type || body.limits[i].bytes))
      nodes_[first + body.parameters[i]].limit = &body.limits[i];
  instances_.push_back({&body, context, transient, first});
  toStart_.push_back(id);
  return id;
}

void PointsTo::start(InstanceId id) {
  const Body& body = *instances_[raw(id)].body;
  for (Operand constant : body.constants)
    constantNode(constantIndex(constant));
  for (auto [constant, variable] : body.constantCopies)
    addEdge(nodeOf(id, constant), nodeOf(id, variable));
  for (uint32_t op : body.unconditional)
    handleUnconditional(id, op);
}

void PointsTo::handleUnconditional(InstanceId id, uint32_t index) {
  const Body& body = *instances_[raw(id)].body;
  const Op& op = body.ops[index];
  auto eachOf = [&](Operand operand, auto visit) {
    if (!isConstant(operand))
      return;
    std::vector<uint32_t> values = nodes_[constantNode(constantIndex(operand))].set.values();
    for (uint32_t value : values)
      visit(static_cast<LocationId>(value));
  };
  switch (op.kind) {
  case OpKind::Local: {
    const AllocaInst& local = *body.locals[op.index];
    ContextId context = instances_[raw(id)].context;
    auto [found, isNew] =
        made_.try_emplace({&local, uint64_t{static_cast<uint32_t>(context)}}, ObjectId{});
    if (isNew) {
      auto bytes = local.getAllocationSize(bodies_.layout());
      ObjectId object = newObject(ObjectKind::Local, &local, context,
                                  bytes && !bytes->isScalable() ? bytes->getFixedValue() : 0, id);
      made_[{&local, uint64_t{static_cast<uint32_t>(context)}}] = object;
    }
    ObjectId object = made_[{&local, uint64_t{static_cast<uint32_t>(context)}}];
    LocationId start = locationOf(object, 0, 0, 0);
    if (start != LocationId::None)
      add(nodeOf(id, op.other), start);
    break;
  }
  case OpKind::Round:
    add(nodeOf(id, op.other), locationOf(roundObject(id, *op.round), 0, 0, 0));
    break;
  case OpKind::Load:
  case OpKind::Store:
  case OpKind::Move:
  case OpKind::NextRound:
    eachOf(op.pointer, [&](LocationId each) { handleOp(id, index, each, false); });
    break;
  case OpKind::CopyMemory:
    eachOf(op.pointer, [&](LocationId each) { handleOp(id, index, each, false); });
    break;
  case OpKind::Call: {
    const CallOp& call = body.calls[op.index];
    if (call.model) {
      handleModel(id, op.index, /*first=*/true);
      break;
    }
    if (call.callee) {
      if (!hasBody(*call.callee)) {
        unknown_.try_emplace(call.callee, call.instruction);
        break;
      }
      const Body& callee = bodies_.of(*call.callee);
      if (!callee.member || callee.receiver >= call.arguments.size())
        callFunction(id, op.index, *call.callee, LocationId::None, EdgeKind::Call);
      else
        eachOf(call.arguments[callee.receiver], [&](LocationId each) {
          callFunction(id, op.index, *call.callee, each, EdgeKind::Call);
        });
      break;
    }
    if (call.slot >= 0)
      eachOf(call.arguments[call.receiver],
             [&](LocationId each) { handleCall(id, op.index, each); });
    else
      eachOf(call.pointer, [&](LocationId each) { handleCall(id, op.index, each); });
    break;
  }
  }
}

void PointsTo::handleOp(InstanceId id, uint32_t index, LocationId each, bool viaOther) {
  const Op& op = instances_[raw(id)].body->ops[index];
  switch (op.kind) {
  case OpKind::Load: {
    LocationId at = op.step.isZero() ? each : moved(each, op.step);
    if (at != LocationId::None)
      addEdge(readNode(at), nodeOf(id, op.other));
    break;
  }
  case OpKind::Store: {
    if (op.vtable && instances_[raw(id)].transient)
      break;
    LocationId at = op.step.isZero() ? each : moved(each, op.step);
    if (at != LocationId::None)
      addEdge(nodeOf(id, op.other), writeNode(at));
    break;
  }
  case OpKind::Move: {
    LocationId at = moved(each, op.step, roundOf(id, op.by));
    if (at != LocationId::None)
      add(nodeOf(id, op.other), at);
    break;
  }
  case OpKind::NextRound: {
    LocationId at = moved(each, op.step, roundObject(id, *op.round));
    if (at != LocationId::None)
      add(nodeOf(id, op.other), at);
    break;
  }
  case OpKind::CopyMemory: {
    std::vector<uint32_t> others =
        nodes_[nodeOf(id, viaOther ? op.pointer : op.other)].set.values();
    for (uint32_t other : others) {
      auto otherId = static_cast<LocationId>(other);
      copyObject(viaOther ? otherId : each, viaOther ? each : otherId, op.length);
    }
    break;
  }
  case OpKind::Local:
  case OpKind::Round:
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

// --- calls

void PointsTo::handleCall(InstanceId id, uint32_t index, LocationId each) {
  const CallOp& call = instances_[raw(id)].body->calls[index];
  if (call.model) {
    handleModel(id, index, /*first=*/false);
    return;
  }
  if (call.callee) {
    callFunction(id, index, *call.callee, each, EdgeKind::Call);
    return;
  }
  if (call.slot >= 0) {
    addWatcher(readNode(each),
               {WatchKind::VirtualReceiver, EdgeKind::Call, id, index, each, nullptr, call.slot});
    return;
  }
  const Object& object = objectOf(each);
  if (object.kind == ObjectKind::Function)
    callIndirect(id, index, *cast<Function>(object.site), EdgeKind::Call);
}

void PointsTo::callIndirect(InstanceId id, uint32_t index, const Function& function,
                            EdgeKind kind) {
  const CallOp& call = instances_[raw(id)].body->calls[index];
  if (!hasBody(function) || function.arg_size() > call.arguments.size())
    return;
  if (function.arg_size() < call.arguments.size() && !function.isVarArg())
    return; // not what is called here
  const Body& body = bodies_.of(function);
  if (!body.member) {
    callFunction(id, index, function, LocationId::None, kind);
    return;
  }
  NodeId receiver = nodeOf(id, call.arguments[body.receiver]);
  if (receiver != kNoNode)
    addWatcher(receiver,
               {WatchKind::MemberReceiver, kind, id, index, LocationId::None, &function, 0});
}

void PointsTo::handleWatcher(const Watcher& watcher, LocationId each) {
  switch (watcher.kind) {
  case WatchKind::VirtualReceiver: {
    const Function* function = vtableEntry(each, watcher.slot);
    if (!function || !hasBody(*function))
      return;
    if (watcher.edge == EdgeKind::Fork) {
      InstanceId callee = instanceOf(*function, receiverContext(watcher.receiver), false);
      Operand self = instances_[raw(callee)].body->parameters[0];
      add(nodeOf(callee, self), watcher.receiver);
      addCallEdge(watcher.instance, watcher.call, callee, EdgeKind::Fork);
      return;
    }
    callFunction(watcher.instance, watcher.call, *function, watcher.receiver, watcher.edge);
    return;
  }
  case WatchKind::StateOwner:
    addWatcher(readNode(each), {WatchKind::VirtualReceiver, EdgeKind::Fork, watcher.instance,
                                watcher.call, each, nullptr, watcher.slot});
    return;
  case WatchKind::MemberReceiver:
    callFunction(watcher.instance, watcher.call, *watcher.function, each, watcher.edge);
    return;
  }
}

void PointsTo::callFunction(InstanceId id, uint32_t index, const Function& function,
                            LocationId receiver, EdgeKind kind) {
  const CallOp& call = instances_[raw(id)].body->calls[index];
  const Body& target = bodies_.of(function);
  if (receiver != LocationId::None && target.member &&
      !fits(target.limits[target.receiver], receiver))
    return;
  ContextId context = receiver != LocationId::None && target.member
                          ? receiverContext(receiver)
                          : callContext(id, *call.instruction, function);
  InstanceId callee = instanceOf(function, context, call.transient);
  connect(id, index, callee, receiver, kind);
}

void PointsTo::connect(InstanceId caller, uint32_t index, InstanceId callee, LocationId receiver,
                       EdgeKind kind) {
  const CallOp& call = instances_[raw(caller)].body->calls[index];
  const Body& body = *instances_[raw(callee)].body;
  uint32_t self = body.member ? body.receiver : call.receiver;
  for (uint32_t i = 0; i < body.parameters.size() && i < call.arguments.size(); ++i) {
    NodeId parameter = nodeOf(callee, body.parameters[i]);
    if (parameter == kNoNode)
      continue;
    if (receiver != LocationId::None && i == self)
      add(parameter, receiver);
    else
      addEdge(nodeOf(caller, call.arguments[i]), parameter);
  }
  addEdge(nodeOf(callee, body.result), nodeOf(caller, call.result));
  addCallEdge(caller, index, callee, kind);
}

void PointsTo::addCallEdge(InstanceId caller, uint32_t call, InstanceId callee, EdgeKind kind) {
  std::pair<uint64_t, uint64_t> key{uint64_t{raw(caller)} << 32 | call,
                                    uint64_t{raw(callee)} << 1 | (kind == EdgeKind::Fork)};
  if (knownCalls_.try_emplace(key, 0).second)
    edges_.push_back({caller, call, callee, kind});
}

ContextId PointsTo::receiverContext(LocationId receiver) {
  const Location& at = location(receiver);
  const Object& object = objects_[raw(at.object)];
  return contexts_.push({object.site, at.offset}, object.context, options_.k);
}

ContextId PointsTo::callContext(InstanceId caller, const CallBase& call, const Function& callee) {
  ContextId context = instances_[raw(caller)].context;
  if (bodies_.hasOneCaller(callee))
    return context;
  return contexts_.push({&call, 0}, context, options_.k);
}

const Function* PointsTo::vtableEntry(LocationId vtable, int32_t slot) const {
  const Location& at = location(vtable);
  auto* variable = dyn_cast<GlobalVariable>(object(at.object).site);
  if (!variable || !variable->hasInitializer() || at.stride)
    return nullptr;
  auto* tables = dyn_cast<ConstantStruct>(variable->getInitializer());
  uint64_t entry = (uint64_t{at.offset} + slot) / 8;
  for (unsigned i = 0; tables && i < tables->getNumOperands(); ++i) {
    auto* table = dyn_cast<ConstantArray>(tables->getOperand(i));
    if (!table)
      return nullptr;
    if (entry < table->getNumOperands())
      return dyn_cast<Function>(table->getOperand(entry)->stripPointerCastsAndAliases());
    entry -= table->getNumOperands();
  }
  return nullptr;
}

// --- models

ObjectId PointsTo::heapObject(InstanceId id, const CallBase& call) {
  ContextId context = instances_[raw(id)].context;
  std::pair<const Value*, uint64_t> key{&call, static_cast<uint32_t>(context)};
  if (auto found = made_.find(key); found != made_.end())
    return found->second;
  ObjectId object = newObject(ObjectKind::Heap, &call, context, allocatedBytes(call), id);
  return made_[key] = object;
}

ObjectId PointsTo::threadObject(InstanceId id, const CallBase& call) {
  ContextId context = instances_[raw(id)].context;
  std::pair<const Value*, uint64_t> key{&call, uint64_t{1} << 32 | static_cast<uint32_t>(context)};
  if (auto found = made_.find(key); found != made_.end())
    return found->second;
  ObjectId object = newObject(ObjectKind::Thread, &call, context, 1, id);
  return made_[key] = object;
}

void PointsTo::handleModel(InstanceId id, uint32_t index, bool first) {
  const CallOp& call = instances_[raw(id)].body->calls[index];
  const ExternalModel& model = *call.model;
  auto argument = [&](int8_t which) {
    return which >= 0 && static_cast<size_t>(which) < call.arguments.size() ? call.arguments[which]
                                                                            : kNoOperand;
  };
  NodeId result = nodeOf(id, call.result);
  // Rules look at all that an argument points to, whichever argument has news: they are few.
  auto pointees = [&](int8_t which) {
    NodeId node = nodeOf(id, argument(which));
    return node == kNoNode ? std::vector<uint32_t>{} : nodes_[node].set.values();
  };
  auto eachFunction = [&](int8_t which, auto visit) {
    for (uint32_t value : pointees(which)) {
      const Object& object = objectOf(static_cast<LocationId>(value));
      if (object.kind == ObjectKind::Function)
        visit(*cast<Function>(object.site));
    }
  };
  switch (model.effect) {
  case Effect::Allocate:
    if (first && result != kNoNode)
      add(result, locationOf(heapObject(id, *call.instruction), 0, 0, 0));
    break;
  case Effect::AllocateInto: {
    LocationId made = locationOf(heapObject(id, *call.instruction), 0, 0, 0);
    for (uint32_t value : pointees(model.a))
      add(writeNode(static_cast<LocationId>(value)), made);
    break;
  }
  case Effect::Reallocate: {
    LocationId made = locationOf(heapObject(id, *call.instruction), 0, 0, 0);
    if (result != kNoNode)
      add(result, made);
    addEdge(nodeOf(id, argument(model.a)), result);
    for (uint32_t value : pointees(model.a))
      copyObject(made, static_cast<LocationId>(value), 0);
    break;
  }
  case Effect::ReturnsArgument:
    if (first)
      addEdge(nodeOf(id, argument(model.a)), result);
    break;
  case Effect::CopyMemory:
    if (first)
      addEdge(nodeOf(id, argument(model.a)), result);
    for (uint32_t to : pointees(model.a))
      for (uint32_t from : pointees(model.b))
        copyObject(static_cast<LocationId>(to), static_cast<LocationId>(from), 0);
    break;
  case Effect::Link:
    link(id, {argument(model.a), argument(model.b), argument(model.c)});
    break;
  case Effect::CallsBack:
    eachFunction(model.a, [&](const Function& function) { callBack(id, index, function); });
    break;
  case Effect::Throw:
    if (first)
      addEdge(nodeOf(id, argument(model.a)), thrown_);
    break;
  case Effect::Catch:
    if (first)
      addEdge(thrown_, result);
    break;
  case Effect::ThreadCreate:
  case Effect::StateThreadCreate: {
    LocationId thread = locationOf(threadObject(id, *call.instruction), 0, 0, 0);
    for (uint32_t value : pointees(model.a))
      add(writeNode(static_cast<LocationId>(value)), thread);
    if (model.effect == Effect::ThreadCreate) {
      eachFunction(model.b, [&](const Function& function) { startThread(id, index, function); });
      break;
    }
    if (first || isVariable(argument(model.b)))
      for (uint32_t value : pointees(model.b)) {
        // Slots of a state: two destructors, then _M_run.
        NodeId owner = readNode(static_cast<LocationId>(value));
        if (knownEdges_.try_emplace(uint64_t{owner} << 32 | (0x80000000u ^ raw(id)), 0).second)
          addWatcher(owner, {WatchKind::StateOwner, EdgeKind::Fork, id, index, LocationId::None,
                             nullptr, 16});
      }
    break;
  }
  case Effect::Once:
    eachFunction(model.b, [&](const Function& function) {
      if (function.getName() == "__once_proxy")
        callOnce(id, index);
      else
        callBack(id, index, function);
    });
    break;
  default:
    break; // locks, waits, joins: other analyses look at them
  }
}

/// Nodes hold up to four words of links.
void PointsTo::link(InstanceId id, std::array<Operand, 3> nodes) {
  for (Operand into : nodes)
    for (Operand from : nodes) {
      NodeId target = nodeOf(id, into);
      NodeId source = nodeOf(id, from);
      if (target == kNoNode || source == kNoNode)
        continue;
      std::vector<uint32_t> places = nodes_[target].set.values();
      for (uint32_t place : places)
        for (int64_t offset = 0; offset < 32; offset += 8)
          if (LocationId at = moved(static_cast<LocationId>(place), {offset, 0, 0});
              at != LocationId::None)
            addEdge(source, writeNode(at));
    }
}

void PointsTo::startThread(InstanceId id, uint32_t index, const Function& function) {
  const CallOp& call = instances_[raw(id)].body->calls[index];
  if (!hasBody(function) || function.arg_size() > 1)
    return;
  // Threads of different calls are told apart whatever k is.
  ContextId context =
      contexts_.push({call.instruction, 0}, instances_[raw(id)].context, std::max(options_.k, 1u));
  InstanceId callee = instanceOf(function, context, false);
  const Body& body = *instances_[raw(callee)].body;
  if (!body.parameters.empty())
    addEdge(nodeOf(id, call.arguments[call.model->c]), nodeOf(callee, body.parameters[0]));
  addCallEdge(id, index, callee, EdgeKind::Fork);
}

void PointsTo::callBack(InstanceId id, uint32_t index, const Function& function) {
  const CallOp& call = instances_[raw(id)].body->calls[index];
  if (!hasBody(function))
    return;
  ContextId context =
      contexts_.push({call.instruction, 0}, instances_[raw(id)].context, options_.k);
  InstanceId callee = instanceOf(function, context, false);
  const Body& body = *instances_[raw(callee)].body;
  bool hasData = call.model->effect == Effect::CallsBack && call.model->b >= 0;
  for (Operand parameter : body.parameters)
    if (hasData && parameter != kNoOperand)
      addEdge(nodeOf(id, call.arguments[call.model->b]), nodeOf(callee, parameter));
  addCallEdge(id, index, callee, EdgeKind::Call);
}

/// std::call_once hands its closure over in thread-local variables. Its own code says which one it
/// is: the closure type is local to the instantiation.
void PointsTo::callOnce(InstanceId id, uint32_t index) {
  const Body& body = *instances_[raw(id)].body;
  StringRef name = body.function->getName();
  if (!name.starts_with("_ZSt9call_onceI"))
    return;
  std::string closure = ("_ZZ" + name.drop_front(2) + "ENKUlvE_clEv").str();
  const Function* function = module_.getFunction(closure);
  if (!function || !hasBody(*function))
    return;
  for (const CallOp& prepare : body.calls) {
    if (!prepare.callee || prepare.arguments.size() < 2 ||
        !prepare.callee->getName().starts_with("_ZNSt9once_flag18_Prepare_executionC"))
      continue;
    NodeId receiver = nodeOf(id, prepare.arguments[1]);
    if (receiver == kNoNode)
      continue;
    std::vector<uint32_t> known = nodes_[receiver].set.values();
    (void)known;
    addWatcher(receiver, {WatchKind::MemberReceiver, EdgeKind::Call, id, index, LocationId::None,
                          function, 0});
  }
}

// --- solving

bool PointsTo::solve(std::span<const Function* const> entries) {
  auto began = std::chrono::steady_clock::now();
  for (const Function* entry : entries) {
    InstanceId instance = instanceOf(*entry, ContextId::Empty, false);
    entryInstances_.push_back(instance);
  }
  size_t steps = 0;
  while (!toStart_.empty() || !queue_.empty() || !next_.empty() || !urgent_.empty()) {
    while (!toStart_.empty()) {
      InstanceId instance = toStart_.back();
      toStart_.pop_back();
      start(instance);
    }
    if (queue_.empty())
      queue_.swap(next_);
    std::vector<NodeId>& first = urgent_.empty() ? queue_ : urgent_;
    if (first.empty())
      continue;
    NodeId node = first.back();
    first.pop_back();
    process(node);
    if (++steps % 4096)
      continue;
    if (options_.progress)
      options_.progress(instances_.size(), nodes_.size());
    std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
    if ((options_.seconds > 0 && taken.count() > options_.seconds) ||
        (options_.nodes && nodes_.size() > options_.nodes))
      return false;
  }
  return true;
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
  return nodes_[node].set.values();
}

std::span<const uint32_t> PointsTo::pointees(InstanceId instance, const Value* value) const {
  if (auto* constant = dyn_cast<Constant>(value))
    return pointees(instance, bodies_.constantOperand(*constant));
  return pointees(instance, instances_[raw(instance)].body->operandOf(value));
}

std::span<const uint32_t> PointsTo::contents(LocationId id) const {
  NodeId node = location(id).read;
  if (node == kNoNode)
    return {};
  return nodes_[node].set.values();
}

} // namespace heddle::analysis
