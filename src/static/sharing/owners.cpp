#include "static/sharing/owners.h"

#include "llvm/IR/Operator.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr size_t kMaxCompared = 1024;

} // namespace

Owners::Owners(const CallGraph& graph, const Escape& escape, Paths& paths)
    : pointsTo_(graph.pointsTo()), escape_(escape), paths_(paths) {
  findKept();
}

bool Owners::isOwner(LocationId id) const {
  auto [known, isNew] = owners_.try_emplace(raw(id), false);
  if (!isNew)
    return known->second;
  const Location& at = pointsTo_.location(id);
  const Object& object = pointsTo_.object(at.object);
  uint64_t size = object.type ? object.type->getSizeInBits() / 8 : 0;
  bool whole = size && !object.collapsed && (at.stride == 0 || at.stride % size == 0);
  return owners_[raw(id)] = whole && layouts_.isOwner(object.type, at.offset % size);
}

bool Owners::isOwner(InstanceId id, const Value* address, bool all) const {
  auto [known, isNew] = ownersAt_.try_emplace({raw(id), address});
  if (isNew) {
    auto places = pointsTo_.pointees(id, address);
    auto owns = [&](uint32_t place) { return isOwner(static_cast<LocationId>(place)); };
    known->second = {any_of(places, owns), !places.empty() && all_of(places, owns)};
  }
  return all ? known->second.second : known->second.first;
}

bool Owners::isText(const Object& object, uint64_t offset) const {
  uint64_t size = object.type ? object.type->getSizeInBits() / 8 : 0;
  return size && !object.collapsed &&
         layouts_.contentAt(object.type, offset % size).kind == CellContent::Kind::OwnText;
}

void Owners::findKept() {
  kept_.resize(pointsTo_.objectCount());
  for (uint32_t i = 0; i < pointsTo_.locationCount(); ++i) {
    auto id = static_cast<LocationId>(i);
    if (pointsTo_.location(id).read == kNoNode)
      continue;
    const Location& at = pointsTo_.location(id);
    bool text = isText(pointsTo_.object(at.object), at.offset);
    for (uint32_t content : pointsTo_.contents(id)) {
      ObjectId object = pointsTo_.location(static_cast<LocationId>(content)).object;
      if (!text || object != at.object) // a short string points into itself
        kept_.set(raw(object));
    }
  }
}

bool Owners::isPrivate(InstanceId id, const Value* address) const {
  auto [known, isNew] = private_.try_emplace({raw(id), address}, false);
  return isNew ? known->second = findPrivate(id, address) : known->second;
}

bool Owners::findPrivate(InstanceId id, const Value* address) const {
  auto places = pointsTo_.pointees(id, address);
  return !places.empty() && all_of(places, [&](uint32_t place) {
    ObjectId object = pointsTo_.location(static_cast<LocationId>(place)).object;
    return pointsTo_.object(object).kind == ObjectKind::Local && !kept_.test(raw(object)) &&
           !escape_.escapes(object);
  });
}

bool Owners::isShared(InstanceId id, const Value* address) const {
  return any_of(pointsTo_.pointees(id, address), [&](uint32_t place) {
    return escape_.escapes(pointsTo_.location(static_cast<LocationId>(place)).object);
  });
}

const Value* Owners::carrier(const Value* value) const {
  auto [known, isNew] = carriers_.try_emplace(value, nullptr);
  if (!isNew)
    return known->second;
  const Value* found = findCarrier(value);
  return carriers_[value] = found;
}

const Value* Owners::findCarrier(const Value* value) const {
  for (;;) {
    value = value->stripPointerCastsAndAliases();
    if (auto* gep = dyn_cast<GEPOperator>(value)) {
      value = gep->getPointerOperand();
      continue;
    }
    if (auto* call = dyn_cast<CallBase>(value)) {
      PathId path = paths_.of(call);
      const Value* root = paths_.rootOf(path);
      if (!root || root == call || paths_.hasLoad(path))
        return call;
      value = root;
      continue;
    }
    if (auto* phi = dyn_cast<PHINode>(value)) {
      const Value* start = startOf(*phi);
      if (!start)
        return phi;
      value = start;
      continue;
    }
    return value;
  }
}

const Value* Owners::startOf(const PHINode& phi) {
  const Value* start = nullptr;
  for (const Value* incoming : phi.incoming_values()) {
    const Value* base = incoming->stripInBoundsOffsets();
    if (base == &phi)
      continue;
    if (start)
      return nullptr;
    start = incoming;
  }
  return start;
}

bool Owners::isAliased(InstanceId id, const Value* holder) const {
  auto* parameter = dyn_cast<Argument>(holder);
  if (!parameter)
    return false;
  auto [known, isNew] = aliased_.try_emplace({raw(id), parameter}, false);
  return isNew ? known->second = findAliased(id, parameter) : known->second;
}

bool Owners::findAliased(InstanceId id, const Argument* parameter) const {
  return any_of(parameter->getParent()->args(), [&](const Argument& other) {
    return &other != parameter && other.getType()->isPointerTy() && meetIn(id, *parameter, other);
  });
}

bool Owners::meetIn(InstanceId id, const Value& one, const Value& other) const {
  auto first = pointsTo_.pointees(id, &one);
  auto second = pointsTo_.pointees(id, &other);
  if (first.size() * second.size() > kMaxCompared)
    return true;
  auto objectOf = [&](uint32_t place) {
    return pointsTo_.location(static_cast<LocationId>(place)).object;
  };
  return any_of(first, [&](uint32_t a) {
    return any_of(second, [&](uint32_t b) { return objectOf(a) == objectOf(b); });
  });
}

} // namespace heddle::analysis
