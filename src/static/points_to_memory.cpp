#include "static/points_to.h"

#include "llvm/IR/Constants.h"

#include <numeric>

/// The memory of the points-to analysis: objects, their locations, and the cells that hold what is
/// stored there.
using namespace llvm;

namespace heddle::analysis {
namespace {

// An object with more parts is one in which a pointer walks, or whose layout is not worth more.
constexpr size_t kMostLocations = 512;
constexpr size_t kMostLocationsOfUnknownSize = 64;

uint64_t sizeOf(Type* type, const DataLayout& layout) {
  return type->isSized() ? layout.getTypeAllocSize(type).getFixedValue() : 0;
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

/// The object of a kind that the instance makes at a site: one for each of its context.
ObjectId PointsTo::madeObject(ObjectKind kind, const Value& site, InstanceId maker, uint64_t size) {
  ContextId context = instances_[raw(maker)].context;
  std::pair<const Value*, uint64_t> key{&site, uint64_t{static_cast<uint8_t>(kind)} << 32 |
                                                   static_cast<uint32_t>(context)};
  if (auto found = made_.find(key); found != made_.end())
    return found->second;
  ObjectId object = newObject(kind, &site, context, size, maker);
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

} // namespace heddle::analysis
