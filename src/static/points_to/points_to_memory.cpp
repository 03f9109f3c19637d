#include "static/points_to/points_to.h"

#include "model/ids.h"
#include "static/ir/object_types.h"
#include "static/ir/value_layouts.h"

#include "llvm/IR/Constants.h"

#include <numeric>

/// The memory of the points-to analysis: objects, their locations, and the cells that hold what is
/// stored there.
using namespace llvm;

namespace heddle::analysis {
namespace {

// An object with more parts is one in which a pointer walks, or whose layout is not worth more.
constexpr size_t kMaxLocations = 512;
constexpr size_t kMaxLocationsOfUnknownSize = 64;
constexpr int64_t kOwnText = 16; // from a std::string's pointer to its room for short text
constexpr size_t kFewLocations = 32;

// A row that is copied into this many members of a class or fewer goes to each of them.
constexpr uint64_t kMaxCopiedParts = 64;
// More pairs of source and target are copied by way of an object in between.
constexpr size_t kMaxDirectCopies = 16;

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
  auto* variable = dyn_cast<GlobalVariable>(site);
  objects_.push_back({kind,
                      site,
                      context,
                      creator,
                      size,
                      /*collapsed=*/false,
                      variable && analysis::isVtable(*variable),
                      isTextObject(*site),
                      typed ? objectType(*site) : nullptr,
                      {}});
  copyRules_.emplace_back();
  return id;
}

ObjectId PointsTo::globalObject(const GlobalValue& global) {
  if (auto found = globals_.find(&global); found != globals_.end())
    return found->second;
  bool function = isa<Function>(global);
  uint64_t size = function ? 1 : sizeOf(global.getValueType(), constraints_.layout());
  ObjectId object = newObject(function ? ObjectKind::Function : ObjectKind::Global, &global,
                              ContextId::Empty, size, InstanceId::None);
  globals_[&global] = object;
  auto* variable = dyn_cast<GlobalVariable>(&global);
  if (variable && variable->hasInitializer() && !isVtable(*variable))
    initialize(object, *variable->getInitializer(), 0);
  return object;
}

void PointsTo::initialize(ObjectId object, const Constant& value, uint64_t offset) {
  const DataLayout& layout = constraints_.layout();
  if (!carriesAddress(value.getType()) || isa<ConstantData>(value))
    return;
  if (auto* structure = dyn_cast<ConstantStruct>(&value)) {
    const StructLayout* parts = layout.getStructLayout(structure->getType());
    for (unsigned i = 0; i < structure->getNumOperands(); ++i)
      initialize(object, *structure->getOperand(i), offset + parts->getElementOffset(i));
    return;
  }
  if (auto* array = dyn_cast<ConstantArray>(&value)) {
    uint64_t size = sizeOf(array->getType()->getElementType(), layout);
    for (unsigned i = 0; i < array->getNumOperands(); ++i)
      initialize(object, *array->getOperand(i), offset + i * size);
    return;
  }
  Operand operand = constraints_.constantOperand(value);
  if (operand == kNoOperand)
    return;
  LocationId location = locationOf(object, static_cast<int64_t>(offset), 0, 0);
  if (location != LocationId::None)
    addEdge(constantNode(constantIndex(operand)), writeNode(location));
}

LocationId PointsTo::locationOf(ObjectId id, int64_t offset, uint32_t stride, uint32_t extent,
                                ObjectId iteration) {
  Object* object = &objects_[raw(id)];
  if (offset < 0 || offset > UINT32_MAX || (object->size && uint64_t(offset) >= object->size))
    return LocationId::None;
  if (object->collapsed) {
    offset = 0;
    stride = 1;
    extent = 0;
  }
  if (object->isText && object->kind == ObjectKind::Global)
    offset = stride = extent = 0; // constant: where in it something points does not matter
  if (stride == 0 && offset % kWord && !object->collapsed)
    offset = static_cast<int64_t>(scalarStart(*object, static_cast<uint64_t>(offset)));
  if (stride == 0 && object->locations.size() >= kFewLocations)
    widen(*object, offset, stride, extent);
  // An array of unknown length: its elements beyond the first are one row.
  if (uint64_t element = object->size || !object->type ? 0 : object->type->getSizeInBits() / 8;
      element && uint64_t(offset) >= element) {
    offset = static_cast<int64_t>(uint64_t(offset) % element);
    stride = static_cast<uint32_t>(std::gcd(uint64_t{stride}, element));
    extent = 0;
    iteration = kNoIteration;
  }
  clip(*object, offset, stride, extent);
  if (stride && object->size && offset + uint64_t{stride} >= object->size)
    stride = 0;
  if (stride && extent && extent <= stride)
    stride = 0;
  if (stride == 0 || (object->size && extent && offset + uint64_t{extent} >= object->size))
    extent = 0;
  if (stride == 0 || object->collapsed)
    iteration = kNoIteration;
  std::pair<std::pair<uint64_t, uint64_t>, uint32_t> key{
      {uint64_t{raw(id)} << 32 | uint64_t(offset), uint64_t{stride} << 32 | extent},
      raw(iteration)};
  auto next = static_cast<LocationId>(locations_.size());
  auto [found, isNew] = locationIds_.try_emplace(key, next);
  if (!isNew)
    return found->second;
  bool known = object->size || object->type || object->kind == ObjectKind::Copy;
  size_t most = known ? kMaxLocations : kMaxLocationsOfUnknownSize;
  if (object->locations.size() >= most && !object->collapsed) {
    locationIds_.erase(found);
    object->collapsed = true;
    return locationOf(id, 0, 1, 0);
  }
  locations_.push_back({id, static_cast<uint32_t>(offset), stride, extent, iteration});
  object->locations.push_back(next);
  if (object->kind == ObjectKind::Iteration)
    iterations_.insert(raw(next));
  return next;
}

/// Elements that a row of words can have lie in the array around it: what is next to that array in
/// an object of a class is none of them.
void PointsTo::clip(const Object& object, int64_t offset, uint32_t& stride, uint32_t& extent) {
  uint64_t whole = object.type ? object.type->getSizeInBits() / 8 : 0;
  if (stride < kWord || object.collapsed || whole <= kWord || stride % whole == 0)
    return;
  uint64_t at = static_cast<uint64_t>(offset) % whole;
  uint64_t end = layouts_.walkEnd(object.type, at, stride);
  if (end == UINT64_MAX)
    return;
  if (end <= at)
    stride = extent = 0;
  else if (extent == 0 || extent > end - at)
    extent = static_cast<uint32_t>(end - at);
}

uint64_t PointsTo::scalarStart(const Object& object, uint64_t offset) {
  if (object.type)
    return layouts_.scalarStart(object.type, offset);
  auto* local = dyn_cast<AllocaInst>(object.site);
  return local ? scalarStartIn(local->getAllocatedType(), offset, constraints_.layout()) : offset;
}

/// Where an object has many locations, a pointer walks in it: elements of its arrays become one,
/// and bytes that something is made in are told apart by words.
void PointsTo::widen(const Object& object, int64_t& offset, uint32_t& stride, uint32_t& extent) {
  if (!object.type || object.collapsed)
    return;
  auto at = static_cast<uint64_t>(offset);
  if (TypeLayouts::Row row = layouts_.rowAround(object.type, at); row.stride) {
    offset = static_cast<int64_t>(row.begin + (at - row.begin) % row.stride);
    stride = static_cast<uint32_t>(row.stride);
    extent = static_cast<uint32_t>(row.end - static_cast<uint64_t>(offset));
  } else if (layouts_.contentAt(object.type, at / kWord * kWord).kind ==
             CellContent::Kind::Anything)
    offset = static_cast<int64_t>(at / kWord * kWord);
}

LocationId PointsTo::moved(LocationId from, const Step& step, ObjectId iteration) {
  const Location& base = location(from);
  uint32_t stride = step.stride ? std::gcd(base.stride, step.stride) : base.stride;
  uint32_t extent = base.stride ? base.extent : step.extent;
  const Object& object = objects_[raw(base.object)];
  if (object.kind == ObjectKind::Function || object.kind == ObjectKind::Iteration)
    return LocationId::None;
  if (step.stride == 0)
    iteration = base.iteration;
  else if (base.stride)
    iteration = kNoIteration; // a row of rows
  // Without an array around it, a pointer can be moved by no elements only; as bytes and small
  // numbers objects are looked at all the same.
  if (step.stride >= kWord && !base.stride && !mayWalk(object, base.offset, step.stride))
    return locationOf(base.object, int64_t{base.offset} + step.offset, 0, 0);
  if (step.backward && !base.stride && !object.collapsed)
    return rowBefore(base, step);
  if (step.stride && !base.stride && !extent && object.type && step.offset == 0)
    if (uint64_t end = layouts_.arrayEnd(object.type, base.offset, step.stride))
      extent = end - base.offset;
  return locationOf(base.object, int64_t{base.offset} + step.offset, stride, extent, iteration);
}

/// All elements of the array that a pointer to one of them, or to its end, walks back in.
LocationId PointsTo::rowBefore(const Location& base, const Step& step) {
  const Object& object = objects_[raw(base.object)];
  uint64_t before = base.offset >= step.stride ? base.offset - step.stride : base.offset;
  for (uint64_t at : {before, uint64_t{base.offset}}) {
    if (!object.type)
      break;
    TypeLayouts::Row row = layouts_.rowAround(object.type, at);
    if (row.stride == step.stride) {
      uint64_t begin = row.begin + (at - row.begin) % row.stride;
      return locationOf(base.object, static_cast<int64_t>(begin), step.stride,
                        static_cast<uint32_t>(row.end - begin));
    }
  }
  if (!mayWalk(object, base.offset, step.stride))
    return locationOf(base.object, base.offset, 0, 0);
  return locationOf(base.object, base.offset % step.stride, step.stride, 0);
}

/// The loop whose iteration an index is the number of; none when it can be anything else.
ObjectId PointsTo::iterationOf(InstanceId instance, Operand index) const {
  if (index == kNoOperand || !isVariable(index))
    return kNoIteration;
  const LocationSet& values = nodes_[instances_[raw(instance)].first + index].set;
  if (values.size() != 1)
    return kNoIteration;
  const Location& only = location(static_cast<LocationId>(values.first()));
  return object(only.object).kind == ObjectKind::Iteration ? only.object : kNoIteration;
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

/// What debug information says of a member keeps memory that is shared by many kinds of objects
/// from mixing what they hold.
PointsTo::Limit* PointsTo::limitOf(const Location& cell) {
  const Object& object = objects_[raw(cell.object)];
  auto* local = dyn_cast<AllocaInst>(object.site);
  if (object.collapsed || (!object.type && !local))
    return nullptr;
  if (object.isText)
    return limitFor({CellContent::Kind::Number});
  if (object.type ? object.type->getSizeInBits() <= 8
                  : sizeOf(local->getAllocatedType(), constraints_.layout()) <= 1)
    return nullptr;                               // bytes: room for anything
  if (cell.offset % kWord || cell.stride % kWord) // addresses are aligned
    return object.type && layouts_.isPacked(object.type, cell.offset)
               ? nullptr
               : limitFor({CellContent::Kind::Number});
  if (cell.stride && !mayWalk(object, cell.offset, cell.stride))
    return nullptr;
  CellContent content =
      object.type ? layouts_.contentAt(object.type, cell.offset)
                  : contentIn(local->getAllocatedType(), cell.offset, constraints_.layout());
  return content.kind == CellContent::Kind::Anything ? nullptr : limitFor(content);
}

/// Whether a pointer to the offset can be moved by elements of `stride` bytes.
bool PointsTo::mayWalk(const Object& object, uint64_t offset, uint64_t stride) {
  if (object.collapsed)
    return true;
  if (object.type)
    return layouts_.mayWalk(object.type, offset, stride);
  auto* local = dyn_cast<AllocaInst>(object.site);
  return !local || mayWalkIn(local->getAllocatedType(), offset, stride, constraints_.layout());
}

PointsTo::Limit* PointsTo::limitFor(CellContent content, uint64_t bytes) {
  Limit& limit = limits_[{content.kind, content.pointee, bytes}];
  limit.what = {content, bytes};
  return &limit;
}

void PointsTo::makeCells(LocationId id) {
  if (locations_[raw(id)].read != kNoNode)
    return;
  NodeId read = newNode(raw(InstanceId::None));
  NodeId write = locations_[raw(id)].stride ? newNode(raw(InstanceId::None)) : read;
  nodes_[read].limit = nodes_[write].limit = limitOf(locations_[raw(id)]);
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
  if (Limit* limit = nodes_[write].limit;
      limit && limit->what.content.kind == CellContent::Kind::OwnText)
    addOwnText(id);
  if (!copyRules_[raw(object)].empty())
    uncopied_.push_back(id); // later: copies can go on from object to object for long
}

/// A std::string points into itself as long as it is short.
void PointsTo::addOwnText(LocationId pointer) {
  LocationId own = moved(pointer, {kOwnText, 0, 0});
  NodeId node = location(pointer).write;
  if (own == LocationId::None || nodes_[node].set.contains(raw(own)))
    return;
  for (NodeId each : {node, location(pointer).read})
    if (!nodes_[each].set.contains(raw(own))) {
      nodes_[each].set.insert(raw(own));
      nodes_[each].fresh.insert(raw(own));
      enqueue(each, false);
    }
}

void PointsTo::copyNewCells() {
  while (!uncopied_.empty()) {
    LocationId id = uncopied_.back();
    uncopied_.pop_back();
    ObjectId object = location(id).object;
    for (size_t i = 0; i < copyRules_[raw(object)].size(); ++i) {
      CopyRule rule = copyRules_[raw(object)][i];
      applyRule(rule, id);
    }
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

/// Copies between one more source or target and what is on the other side.
void PointsTo::copyMemory(InstanceId id, uint32_t index, LocationId fresh, bool isSource) {
  const Op& op = instances_[raw(id)].body->ops[index];
  NodeId to = nodeOf(id, op.pointer), from = nodeOf(id, op.other);
  uint64_t key = uint64_t{raw(id)} << 32 | index;
  auto between = copies_.find(key);
  if (between == copies_.end()) {
    if (size_t{nodes_[to].set.size()} * nodes_[from].set.size() <= kMaxDirectCopies) {
      for (uint32_t other : nodes_[isSource ? to : from].set.values()) {
        auto otherId = static_cast<LocationId>(other);
        copyObject(isSource ? otherId : fresh, isSource ? fresh : otherId, op.length);
      }
      return;
    }
    // By way of an object in between: as exact, and n + m copies instead of n * m.
    ObjectId object = newObject(ObjectKind::Copy, instances_[raw(id)].body->function,
                                ContextId::Empty, 0, InstanceId::None);
    between = copies_.try_emplace(key, locationOf(object, 0, 0, 0)).first;
    LocationId middle = between->second;
    for (uint32_t source : nodes_[from].set.values())
      copyObject(middle, static_cast<LocationId>(source), op.length);
    for (uint32_t target : nodes_[to].set.values())
      copyObject(static_cast<LocationId>(target), middle, op.length);
    return;
  }
  if (isSource)
    copyObject(between->second, fresh, op.length);
  else
    copyObject(fresh, between->second, op.length);
}

/// How much a copy of unknown length can be: one that begins in an array of bytes ends in it. So
/// the text of a string does not take along the members after it.
uint64_t PointsTo::copyLength(LocationId to, LocationId from) {
  uint64_t length = 0;
  for (LocationId each : {to, from}) {
    const Location& at = location(each);
    const Object& object = objects_[raw(at.object)];
    if (!object.type || object.collapsed)
      continue;
    uint64_t end = layouts_.arrayEnd(object.type, at.offset, 1);
    if (end > at.offset && (length == 0 || end - at.offset < length))
      length = end - at.offset;
  }
  return length;
}

void PointsTo::copyObject(LocationId to, LocationId from, uint64_t length) {
  if (objectOf(to).isText || objectOf(from).isText)
    return; // nothing in it that is followed
  if (length == 0)
    length = copyLength(to, from);
  ObjectId source = location(from).object;
  CopyRule rule{location(to).object, int64_t{location(to).offset} - int64_t{location(from).offset},
                location(from).offset, length};
  if (rule.target == source && rule.delta == 0)
    return;
  uint64_t key = mix(mix(raw(source), raw(rule.target)), static_cast<uint64_t>(rule.delta));
  if (!knownRules_.insert(mix(mix(key, rule.from), rule.length) >> 1).second)
    return;
  copyRules_[raw(source)].push_back(rule);
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
  int64_t offset = whole ? int64_t{rule.from} + rule.delta : int64_t{source.offset} + rule.delta;
  const Object& target = objects_[raw(rule.target)];
  if (source.stride && offset >= 0 && target.size && source.stride % kWord == 0 &&
      target.size / source.stride <= kMaxCopiedParts &&
      !mayWalk(target, static_cast<uint64_t>(offset), source.stride)) {
    // A row of elements in memory of any kind, copied to members of a class.
    uint64_t end =
        rule.length ? std::min<uint64_t>(offset + rule.length, target.size) : target.size;
    for (uint64_t at = static_cast<uint64_t>(offset); at < end; at += source.stride)
      copyPart(from, locationOf(rule.target, static_cast<int64_t>(at), 0, 0));
    return;
  }
  copyPart(from, locationOf(rule.target, offset, source.stride, source.extent));
}

void PointsTo::copyPart(LocationId from, LocationId to) {
  if (to != LocationId::None && to != from)
    addEdge(readNode(from), writeNode(to));
}

} // namespace heddle::analysis
