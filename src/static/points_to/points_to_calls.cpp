#include "static/points_to/points_to.h"

#include "static/ir/standard_library.h"

#include "llvm/IR/Constants.h"

/// The call graph of the points-to analysis: where calls go, in which context, and what modelled
/// functions do.
using namespace llvm;

namespace heddle::analysis {
namespace {

uint64_t allocatedBytes(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee || call.arg_size() == 0)
    return 0;
  auto* size = dyn_cast<ConstantInt>(call.getArgOperand(0));
  StringRef name = callee->getName();
  bool plain = isPlainAllocation(name);
  return size && plain ? size->getZExtValue() : 0;
}

} // namespace

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
  const FunctionConstraints& body = constraints_.of(function);
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
    if (!function || !hasBody(*function) || !mayDispatch(watcher, each))
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
  const FunctionConstraints& target = constraints_.of(function);
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
  const FunctionConstraints& body = *instances_[raw(callee)].body;
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
  if (!call.allocates)
    addEdge(nodeOf(callee, body.result), nodeOf(caller, call.result));
  else if (call.result != kNoOperand)
    add(nodeOf(caller, call.result),
        locationOf(madeObject(ObjectKind::Heap, *call.instruction, caller, 0), 0, 0, 0));
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
  if (constraints_.hasOneCaller(callee))
    return context;
  return contexts_.pushCall(&call, context, options_.k);
}

/// Whether a virtual call finds the vtable: that of a class that the receiver is declared as, or of
/// one derived from it.
bool PointsTo::mayDispatch(const Watcher& watcher, LocationId vtable) {
  if (watcher.edge == EdgeKind::Fork)
    return true;
  const FunctionConstraints& body = *instances_[raw(watcher.instance)].body;
  const CallOp& call = body.calls[watcher.call];
  const auto& table = *cast<GlobalVariable>(object(location(vtable).object).site);
  Operand receiver = call.arguments[call.receiver];
  for (size_t i = 0; i < body.parameters.size(); ++i)
    if (body.parameters[i] == receiver)
      if (const DICompositeType* type = body.limits[i].content.pointee)
        return vtables_.mayBeOf(table, *type);
  for (const auto& [operand, content] : body.contents)
    if (operand == receiver && content.pointee && !vtables_.mayBeOf(table, *content.pointee))
      return false;
  return true;
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

/// What the model's argument is; nothing when the call has none.
static Operand argumentOf(const CallOp& call, int8_t which) {
  return which >= 0 && static_cast<size_t>(which) < call.arguments.size() ? call.arguments[which]
                                                                          : kNoOperand;
}

/// Rules look at all that an argument points to, whichever argument has news: they are few.
std::vector<uint32_t> PointsTo::argumentPointees(InstanceId id, const CallOp& call, int8_t which) {
  NodeId node = nodeOf(id, argumentOf(call, which));
  return node == kNoNode ? std::vector<uint32_t>{} : nodes_[node].set.values();
}

std::vector<const Function*> PointsTo::argumentFunctions(InstanceId id, const CallOp& call,
                                                         int8_t which) {
  std::vector<const Function*> functions;
  for (uint32_t value : argumentPointees(id, call, which)) {
    const Object& object = objectOf(static_cast<LocationId>(value));
    if (object.kind == ObjectKind::Function)
      functions.push_back(cast<Function>(object.site));
  }
  return functions;
}

LocationId PointsTo::newBlock(InstanceId id, const CallBase& call) {
  return locationOf(madeObject(ObjectKind::Heap, call, id, allocatedBytes(call)), 0, 0, 0);
}

void PointsTo::handleModel(InstanceId id, uint32_t index, bool first) {
  const CallOp& call = instances_[raw(id)].body->calls[index];
  const ExternalModel& model = *call.model;
  switch (model.effect) {
  case Effect::CallsBack:
  case Effect::CallsLater:
  case Effect::CallsAtExit:
    for (const Function* function : argumentFunctions(id, call, model.a))
      callBack(id, index, *function);
    break;
  case Effect::ThreadCreate:
  case Effect::StateThreadCreate:
    createThread(id, index);
    break;
  case Effect::Once:
    for (const Function* function : argumentFunctions(id, call, model.b))
      if (function->getName() == "__once_proxy")
        callOnce(id, index);
      else
        callBack(id, index, *function);
    break;
  default:
    handleMemoryModel(id, call, first);
  }
}

void PointsTo::createThread(InstanceId id, uint32_t index) {
  const CallOp& call = instances_[raw(id)].body->calls[index];
  const ExternalModel& model = *call.model;
  LocationId thread = locationOf(madeObject(ObjectKind::Thread, *call.instruction, id, 1), 0, 0, 0);
  for (uint32_t value : argumentPointees(id, call, model.a))
    add(writeNode(static_cast<LocationId>(value)), thread);
  if (model.effect == Effect::ThreadCreate) {
    for (const Function* function : argumentFunctions(id, call, model.b))
      startThread(id, index, *function);
    return;
  }
  for (uint32_t value :
       argumentPointees(id, call, model.b)) // slots of a state: two destructors, then _M_run
    addWatcher(readNode(static_cast<LocationId>(value)),
               {WatchKind::StateOwner, EdgeKind::Fork, id, index, LocationId::None, nullptr, 16});
}

/// What a model does to memory; locks, waits and joins are for other analyses.
void PointsTo::handleMemoryModel(InstanceId id, const CallOp& call, bool first) {
  const ExternalModel& model = *call.model;
  NodeId result = nodeOf(id, call.result);
  switch (model.effect) {
  case Effect::Allocate:
  case Effect::AllocateFilled:
    if (first && result != kNoNode)
      add(result, newBlock(id, *call.instruction));
    break;
  case Effect::AllocateInto: {
    LocationId made = newBlock(id, *call.instruction);
    for (uint32_t value : argumentPointees(id, call, model.a))
      add(writeNode(static_cast<LocationId>(value)), made);
    break;
  }
  case Effect::Reallocate: {
    LocationId made = newBlock(id, *call.instruction);
    if (result != kNoNode)
      add(result, made);
    addEdge(nodeOf(id, argumentOf(call, model.a)), result);
    for (uint32_t value : argumentPointees(id, call, model.a))
      copyObject(made, static_cast<LocationId>(value), 0);
    break;
  }
  case Effect::ReturnsArgument:
    if (first)
      addEdge(nodeOf(id, argumentOf(call, model.a)), result);
    break;
  case Effect::CopyMemory:
    if (first)
      addEdge(nodeOf(id, argumentOf(call, model.a)), result);
    for (uint32_t to : argumentPointees(id, call, model.a))
      for (uint32_t from : argumentPointees(id, call, model.b))
        copyObject(static_cast<LocationId>(to), static_cast<LocationId>(from), 0);
    break;
  case Effect::Link:
    link(id, {argumentOf(call, model.a), argumentOf(call, model.b), argumentOf(call, model.c)});
    break;
  case Effect::Keeps:
    for (uint32_t value : argumentPointees(id, call, model.a))
      copyObject(keptBy(*call.callee), static_cast<LocationId>(value), 0);
    break;
  case Effect::HandsOut:
    for (uint32_t value : argumentPointees(id, call, model.a))
      copyObject(static_cast<LocationId>(value), keptBy(*call.callee), 0);
    break;
  case Effect::Throw:
    if (first)
      addEdge(nodeOf(id, argumentOf(call, model.a)), thrown_);
    break;
  case Effect::Catch:
    if (first)
      addEdge(thrown_, result);
    break;
  default:
    break;
  }
}

/// One place for all that is kept: a variable that all threads know.
LocationId PointsTo::keptBy(const Function& function) {
  if (kept_ == LocationId::None)
    kept_ = locationOf(
        newObject(ObjectKind::Global, &function, ContextId::Empty, 0, InstanceId::None), 0, 0, 0);
  return kept_;
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
      contexts_.pushCall(call.instruction, instances_[raw(id)].context, std::max(options_.k, 1u));
  InstanceId callee = instanceOf(function, context, false);
  const FunctionConstraints& body = *instances_[raw(callee)].body;
  if (!body.parameters.empty())
    addEdge(nodeOf(id, call.arguments[call.model->c]), nodeOf(callee, body.parameters[0]));
  addCallEdge(id, index, callee, EdgeKind::Fork);
}

void PointsTo::callBack(InstanceId id, uint32_t index, const Function& function) {
  const CallOp& call = instances_[raw(id)].body->calls[index];
  if (!hasBody(function))
    return;
  ContextId context = contexts_.pushCall(call.instruction, instances_[raw(id)].context, options_.k);
  InstanceId callee = instanceOf(function, context, false);
  const FunctionConstraints& body = *instances_[raw(callee)].body;
  bool hasData = call.model->effect != Effect::Once && call.model->b >= 0;
  for (Operand parameter : body.parameters)
    if (hasData && parameter != kNoOperand)
      addEdge(nodeOf(id, call.arguments[call.model->b]), nodeOf(callee, parameter));
  addCallEdge(id, index, callee, EdgeKind::Call);
}

/// std::call_once hands its closure over in thread-local variables. Its own code says which one it
/// is: the closure type is local to the instantiation.
void PointsTo::callOnce(InstanceId id, uint32_t index) {
  const FunctionConstraints& body = *instances_[raw(id)].body;
  StringRef name = body.function->getName();
  if (!isCallOnce(name))
    return;
  const Function* function = module_.getFunction(onceClosure(name));
  if (!function || !hasBody(*function))
    return;
  for (const CallOp& prepare : body.calls) {
    if (!prepare.callee || prepare.arguments.size() < 2 ||
        !isOncePreparation(prepare.callee->getName()))
      continue;
    NodeId receiver = nodeOf(id, prepare.arguments[1]);
    if (receiver == kNoNode)
      continue;
    addWatcher(receiver, {WatchKind::MemberReceiver, EdgeKind::Call, id, index, LocationId::None,
                          function, 0});
  }
}

} // namespace heddle::analysis
