#include "static/sharing/checked_sets.h"

#include "static/ir/address_uses.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr int64_t kAddressBytes = 8;

/// Whether eight bytes at one place and eight at the other have some in common.
bool meet(const Location& one, const Location& other) {
  auto end = [](const Location& at) -> int64_t {
    if (at.stride == 0)
      return at.offset + kAddressBytes;
    return at.extent ? at.offset + int64_t{at.extent} + kAddressBytes : INT64_MAX;
  };
  if (one.offset >= end(other) || other.offset >= end(one))
    return false;
  int64_t stride = std::gcd(one.stride, other.stride);
  int64_t distance = int64_t{one.offset} - int64_t{other.offset};
  if (stride == 0)
    return std::abs(distance) < kAddressBytes;
  distance = (distance % stride + stride) % stride;
  return distance < kAddressBytes || distance > stride - kAddressBytes;
}

} // namespace

CheckedSets::CheckedSets(const PointsTo& pointsTo) : pointsTo_(pointsTo) {
  uint32_t nodes = 0;
  for (const Instance& instance : pointsTo_.instances())
    nodes = std::max(nodes, instance.first + instance.body->variables);
  unknown_.resize(nodes);
  loose_.resize(nodes);
  escaped_.resize(pointsTo_.objectCount());
  cloudedObjects_.resize(pointsTo_.objectCount());
  handedOut_.resize(pointsTo_.objectCount());
  cloudedPlaces_.resize(pointsTo_.locationCount());
  cloudedOf_.resize(pointsTo_.objectCount());
}

bool CheckedSets::isOwn(InstanceId instance, const Value& address) const {
  Known value = of(instance, &address);
  return !value.unknown && !value.pointees.empty() && all_of(value.pointees, [&](uint32_t each) {
    ObjectId object = objectAt(each);
    const Object& what = pointsTo_.object(object);
    bool memory =
        what.kind == ObjectKind::Local || what.kind == ObjectKind::Heap || what.isThreadLocal();
    return memory && !what.collapsed && !escaped_.test(raw(object)) &&
           !handedOut_.test(raw(object));
  });
}

CheckedSets::Known CheckedSets::of(InstanceId instance, Operand operand) const {
  if (operand == kNoOperand)
    return {.unknown = true};
  Known value{.pointees = pointsTo_.pointees(instance, operand)};
  if (isVariable(operand)) {
    uint32_t node = pointsTo_.instance(instance).first + operand;
    value.unknown = unknown_.test(node);
    value.loose = loose_.test(node);
  } else
    value.unknown = value.pointees.empty(); // a constant that the solution does not have
  return value;
}

CheckedSets::Known CheckedSets::of(InstanceId instance, const Value* value) const {
  if (isa<ConstantPointerNull>(value) || isa<UndefValue>(value) ||
      isa<ConstantAggregateZero>(value))
    return {};
  if (isa<Constant>(value)) {
    std::span<const uint32_t> pointees = pointsTo_.pointees(instance, value);
    return {.unknown = pointees.empty(), .pointees = pointees};
  }
  return of(instance, pointsTo_.instance(instance).body->operandOf(value));
}

void CheckedSets::set(BitVector& bits, uint32_t index) {
  if (bits.test(index))
    return;
  bits.set(index);
  changed_ = true;
}

void CheckedSets::markUnknown(InstanceId instance, Operand operand) {
  if (operand == kNoOperand || !isVariable(operand))
    return;
  set(unknown_, pointsTo_.instance(instance).first + operand);
  escapeAll(pointsTo_.pointees(instance, operand));
}

void CheckedSets::markLoose(InstanceId instance, Operand operand) {
  if (operand != kNoOperand && isVariable(operand))
    set(loose_, pointsTo_.instance(instance).first + operand);
}

void CheckedSets::pass(const Known& value, InstanceId to, Operand target) {
  if (target == kNoOperand)
    return escapeAll(value.pointees);
  if (value.unknown)
    return markUnknown(to, target);
  if (value.loose)
    markLoose(to, target);
  receive(value.pointees, to, target, pointsTo_.pointees(to, target));
}

void CheckedSets::receive(std::span<const uint32_t> given, InstanceId to, Operand target,
                          std::span<const uint32_t> taken) {
  if (std::includes(taken.begin(), taken.end(), given.begin(), given.end()))
    return;
  DenseSet<uint32_t> objects;
  for (uint32_t each : taken)
    objects.insert(raw(objectAt(each)));
  bool lost = false;
  for (uint32_t each : given)
    if (ObjectId object = objectAt(each); isMemory(object) && !objects.contains(raw(object))) {
      escape(object);
      lost = true;
    }
  if (lost)
    markUnknown(to, target);
  else
    markLoose(to, target);
}

bool CheckedSets::isMemory(ObjectId id) const {
  ObjectKind kind = pointsTo_.object(id).kind;
  return kind == ObjectKind::Global || kind == ObjectKind::Local || kind == ObjectKind::Heap;
}

bool CheckedSets::isFilled(ObjectId object) const {
  return any_of(pointsTo_.object(object).locations,
                [&](LocationId each) { return !pointsTo_.contents(each).empty(); });
}

void CheckedSets::escape(ObjectId first) {
  std::vector<ObjectId> stack{first};
  while (!stack.empty()) {
    ObjectId object = stack.back();
    stack.pop_back();
    if (escaped_.test(raw(object)))
      continue;
    escaped_.set(raw(object));
    changed_ = true;
    for (LocationId each : pointsTo_.object(object).locations)
      for (uint32_t content : pointsTo_.contents(each))
        stack.push_back(objectAt(content));
  }
}

void CheckedSets::escapeAll(std::span<const uint32_t> locations) {
  for (uint32_t each : locations)
    escape(objectAt(each));
}

void CheckedSets::escapeContents(ObjectId object) {
  for (LocationId each : pointsTo_.object(object).locations)
    escapeAll(pointsTo_.contents(each));
}

void CheckedSets::cloud(uint32_t location) {
  if (cloudedPlaces_.test(location))
    return;
  set(cloudedPlaces_, location);
  cloudedOf_[raw(objectAt(location))].push_back(location);
}

bool CheckedSets::isClouded(uint32_t location) const {
  ObjectId object = objectAt(location);
  const Location& at = pointsTo_.location(static_cast<LocationId>(location));
  return cloudedObjects_.test(raw(object)) || pointsTo_.object(object).collapsed ||
         any_of(cloudedOf_[raw(object)], [&](uint32_t each) {
           return meet(at, pointsTo_.location(static_cast<LocationId>(each)));
         });
}

void CheckedSets::cloudAll(const Known& address) {
  for (uint32_t each : address.pointees)
    cloud(objectAt(each));
}

} // namespace heddle::analysis
