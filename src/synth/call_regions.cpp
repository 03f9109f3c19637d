#include "synth/call_regions.h"

#include <algorithm>

namespace heddle::synth {

void CallRegions::addGlobal(uint32_t index, const GlobalObject& global) {
  regions_.push_back(
      {global.address, global.size, global.type, {{RootKind::Global, index, {}}}, false});
}

/// The complete object of which the pointer's target is the start or a base class; a member of
/// another object stands for itself.
HeapObject CallRegions::extentOf(Address address, TypeId type) const {
  std::optional<HeapObject> whole = heap_.objectAt(address);
  bool isWhole = whole && (whole->begin == address || type == TypeId::None ||
                           types_.isBaseAt(whole->type, raw(address) - raw(whole->begin), type));
  if (isWhole && (whole->begin != address || types_.isA(whole->type, type) ||
                  types_[whole->type].size >= types_[type].size))
    return *whole;
  if (whole && whole->begin == address && whole->type == TypeId::None)
    return {address, whole->size, type}; // memory for one or more of them
  return {address, std::max<uint64_t>(types_[type].size, 1), type};
}

Region* CallRegions::addRoot(AccessPath path, Address object, TypeId type) {
  HeapObject extent = extentOf(object, type);
  Region* known = regionAt(extent.begin);
  if (known && known->begin == extent.begin && known->size == extent.size) {
    if (!known->isControllable())
      known->paths.clear();
    known->paths.push_back(std::move(path)); // arguments that are the same object
    return known;
  }
  regions_.push_back({extent.begin, extent.size, extent.type, {std::move(path)}, false});
  return &regions_.back();
}

void CallRegions::addFresh(uint32_t index, Address address, uint64_t size, TypeId type) {
  remove(address);
  regions_.push_back({address, size, type, {{RootKind::Fresh, index, {}}}, false});
}

void CallRegions::remove(Address address) {
  std::erase_if(regions_, [&](const Region& region) { return region.begin == address; });
}

void CallRegions::addPath(Region& region, const AccessPath& path) {
  auto found = std::ranges::find(region.paths, path);
  if (found != region.paths.end()) {
    std::rotate(region.paths.begin(), found, found + 1);
    return;
  }
  if (region.paths.size() >= kMaxPaths)
    region.paths.pop_back();
  region.paths.insert(region.paths.begin(), path);
}

/// Whether the object lies on the way of the path: a cycle, which would name it without end.
static bool isCycle(const Region& region, const AccessPath& path) {
  return std::ranges::any_of(region.paths, [&](const AccessPath& known) {
    return known.root == path.root && known.index == path.index &&
           known.edges.size() < path.edges.size() &&
           std::equal(known.edges.begin(), known.edges.end(), path.edges.begin());
  });
}

void CallRegions::reach(const AccessPath& path, Address target, TypeId type) {
  if (target == Address::Null || path.edges.size() > kMaxEdges || heap_.blockAt(target))
    return;
  Region* known = regionAt(target);
  if (!known) {
    HeapObject extent = extentOf(target, type);
    regions_.push_back({extent.begin, extent.size, extent.type, {path}, false});
    return;
  }
  bool isWhole =
      known->begin == target || types_.isBaseAt(known->type, raw(target) - raw(known->begin), type);
  if (isWhole && known->isControllable() && !isCycle(*known, path))
    addPath(*known, path);
}

Region* CallRegions::regionAt(Address address) {
  Region* innermost = nullptr;
  for (Region& region : regions_)
    if (region.begin <= address && raw(address) < raw(region.begin) + region.size &&
        (!innermost || region.size <= innermost->size))
      innermost = &region;
  return innermost;
}

Located CallRegions::locateInBlock(const SeedHeap::Block& block, Address address) {
  Located owner = locate(block.owner);
  if (!owner.region)
    return owner;
  const Type& element = types_[types_[owner.member.type].target];
  uint64_t offset = raw(address) - raw(block.begin);
  owner.inContainer = true;
  owner.member.path += "[]";
  owner.member.type = types_[owner.member.type].target;
  owner.intoMember = element.size ? offset % element.size : offset;
  if (element.kind == TypeKind::Class && element.size && block.size % element.size == 0) {
    MemberPlace inside = types_.memberAt(owner.member.type, offset % element.size);
    owner.member.path += (inside.path.empty() ? "" : ".") + inside.path;
    owner.member.type = inside.type;
    owner.intoMember = offset % element.size - inside.offset;
  }
  return owner;
}

Located CallRegions::locate(Address address) {
  if (std::optional<SeedHeap::Block> block = heap_.blockAt(address))
    return locateInBlock(*block, address);
  Region* region = regionAt(address);
  if (!region)
    return {};
  uint64_t offset = raw(address) - raw(region->begin);
  if (uint64_t size = types_[region->type].size; size != 0 && offset >= size)
    offset %= size; // a later one of an array
  MemberPlace member = types_.memberAt(region->type, offset);
  uint64_t into = offset - std::min(offset, member.offset);
  return {region, std::move(member), into, false};
}

std::vector<AccessPath> CallRegions::source(Address object) {
  if (heap_.blockAt(object))
    return {};
  Region* region = regionAt(object);
  return region ? region->paths : std::vector<AccessPath>{};
}

std::string CallRegions::edgeAt(const Located& place, Address target) const {
  TypeKind kind = types_[place.member.type].kind;
  bool leads = isEdge(kind) || place.member.type == TypeId::None;
  if (!leads || (!place.inContainer && place.intoMember != 0))
    return "";
  if (target != Address::Null && heap_.blockAt(target))
    return ""; // a container's own pointer to its memory
  if (place.inContainer && kind == TypeKind::SharedPointer) {
    // The counter beside the pointer: where in a node it lies is not known. It begins as null.
    std::optional<HeapObject> object = heap_.objectAt(target);
    if (target == Address::Null ||
        (object && !types_.isA(object->type, types_[place.member.type].target)))
      return "";
  }
  return place.member.path.empty() ? "*" : place.member.path; // a variable that is a pointer
}

} // namespace heddle::synth
