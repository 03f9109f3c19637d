#include "synth/call_analysis.h"

#include <algorithm>

namespace heddle::synth {

CallAnalysis::CallAnalysis(const SeedTrace& trace, SeedHeap& heap, CallId call, Label begin)
    : trace_(trace), heap_(heap), regions_(trace.types, heap) {
  const SeedEvent& event = trace.events[raw(begin)];
  summary_.call = call;
  summary_.method = event.method;
  summary_.begin = begin;
  summary_.place = event.place;
  summary_.values = event.values;
  bindRoots(event);
}

/// INVOKE: receiver and arguments are controllable and unlocked, whatever the client holds.
void CallAnalysis::bindRoots(const SeedEvent& event) {
  for (uint32_t i = 0; i < trace_.globals.size(); ++i)
    regions_.addGlobal(i, trace_.globals[i]);
  bool constructs = trace_.methods[raw(event.method)].kind == MethodKind::Constructor;
  for (uint32_t i = 0; i < event.values.size(); ++i) {
    const Value& value = event.values[i];
    if (value.kind != ValueKind::Object)
      continue;
    if (i == 0 && constructs)
      heap_.addObject({value.object, 0, value.type});
    Region* root = regions_.addRoot({RootKind::Argument, i, {}}, value.object, value.type);
    walkEntry(root->begin, CallRegions::kMaxEdges);
  }
}

/// What the client's objects lead to at entry, as far as it is known: for the sharing that a test
/// is planned with, not for the rules, which learn it when it is read.
void CallAnalysis::walkEntry(Address object, size_t depth) {
  constexpr size_t most = 512;
  std::vector<Address> level{object};
  for (; depth > 0 && !level.empty(); --depth) {
    std::vector<Address> next;
    for (Address address : level)
      if (std::optional<HeapObject> found = heap_.objectAt(address);
          found && summary_.entryEdges.size() < most)
        addEntryEdges({found->begin, found->size, found->type, {}, false}, next);
    level = std::move(next);
  }
}

void CallAnalysis::addEntryEdges(const Region& region, std::vector<Address>& next) {
  CallRegions alone(trace_.types, heap_);
  alone.addFresh(0, region.begin, region.size, region.type);
  auto cells = heap_.cellsIn(region.begin, region.size);
  for (const SeedHeap::Block& block : heap_.blocksOf(region.begin, region.size))
    for (const auto& cell : heap_.cellsIn(block.begin, block.size))
      cells.push_back(cell);
  for (const auto& [cell, target] : cells) {
    std::string edge = alone.edgeAt(alone.locate(cell), target);
    if (edge.empty() || target == Address::Null)
      continue;
    std::optional<HeapObject> object = heap_.objectAt(target);
    Address begin = object ? object->begin : target;
    if (summary_.entryEdges.emplace(std::pair(region.begin, edge), begin).second)
      next.push_back(begin);
  }
}

void CallAnalysis::add(Label label, const SeedEvent& event) {
  switch (event.kind) {
  case EventKind::Read:
    return read(label, event);
  case EventKind::Write:
    return write(label, event);
  case EventKind::Allocate:
  case EventKind::Object:
    return allocate(event);
  case EventKind::Free:
    return release(event);
  case EventKind::Adopt:
    regions_.remove(event.address);
    return heap_.adopt(event.address, event.size, event.owner);
  case EventKind::Lock:
    return lock(event);
  case EventKind::Unlock:
    return unlock(label, event);
  case EventKind::TestBegin:
  case EventKind::Call:
  case EventKind::Return:
    return;
  }
}

/// LOCK: the client's own locks do not count.
void CallAnalysis::lock(const SeedEvent& event) {
  if (event.byClient)
    return;
  Located place = regions_.locate(event.address);
  HeldLock held{event.address, {}, event.shared};
  held.path.member = place.member;
  if (place.region && !place.region->paths.empty())
    held.path.object = place.region->paths.front();
  held_.push_back(std::move(held));
}

void CallAnalysis::unlock(Label label, const SeedEvent& event) {
  auto found = std::find_if(held_.rbegin(), held_.rend(),
                            [&](const HeldLock& held) { return held.lock == event.address; });
  if (found != held_.rend())
    held_.erase(std::next(found).base());
  if (!held_.empty())
    return;
  for (Effect& effect : summary_.effects)
    if (effect.lockFree == Label::None)
      effect.lockFree = label;
}

/// Whether a lock of the object itself is held: one that lies in it.
bool CallAnalysis::isLocked(const Region& region, bool forWrite) const {
  return std::ranges::any_of(held_, [&](const HeldLock& held) {
    bool inside = region.begin <= held.lock && raw(held.lock) < raw(region.begin) + region.size;
    return inside && (!held.shared || !forWrite);
  });
}

Access CallAnalysis::describe(Label label, const SeedEvent& event, const Located& place) {
  Access access;
  access.label = label;
  access.place = event.place;
  access.isWrite = event.kind == EventKind::Write;
  access.isAtomic = event.isAtomic;
  access.member = place.member;
  access.locks = held_;
  if (!place.region || !place.region->isControllable())
    return access;
  access.owners = place.region->paths;
  for (const AccessPath& path : access.owners)
    if (path.root == RootKind::Global) {
      summary_.globals.insert(path.index);
      if (access.isWrite)
        summary_.writtenGlobals.insert(path.index);
    }
  access.unprotected = !isLocked(*place.region, access.isWrite);
  return access;
}

TypeId CallAnalysis::targetType(const Located& place, const SeedEvent& event) const {
  TypeId declared = trace_.types[place.member.type].target;
  return event.type != TypeId::None ? event.type : declared;
}

/// READ: what a pointer of the entry state leads to gets the path of that pointer.
void CallAnalysis::read(Label label, const SeedEvent& event) {
  Located place = regions_.locate(event.address);
  if (event.isPointer && !written_.contains(event.address) && place.region) {
    heap_.store(event.address, event.pointer);
    std::string edge = regions_.edgeAt(place, event.pointer);
    if (!edge.empty() && event.pointer != Address::Null && place.region->isControllable()) {
      std::vector<AccessPath> paths = place.region->paths;
      Address owner = place.region->begin;
      bool isShared = trace_.types[place.member.type].kind == TypeKind::SharedPointer;
      for (auto path = paths.rbegin(); path != paths.rend(); ++path)
        regions_.reach(path->then(edge), event.pointer, targetType(place, event));
      Region* target = regions_.regionAt(event.pointer);
      if (target && isShared)
        target->hasOwners = true;
      summary_.entryEdges.emplace(std::pair(owner, edge), target ? target->begin : event.pointer);
      place = regions_.locate(event.address); // the list may have changed
    }
  }
  if (!event.byClient && place.region)
    summary_.accesses.push_back(describe(label, event, place));
}

/// WRITE: the cell is no longer what it was at entry.
void CallAnalysis::write(Label label, const SeedEvent& event) {
  Located place = regions_.locate(event.address);
  if (!event.byClient && place.region) {
    Access access = describe(label, event, place);
    if (event.isPointer && event.pointer != Address::Null)
      for (const AccessPath& path : regions_.source(event.pointer))
        if (path.isKnown())
          access.sources.push_back(path);
    access.writeable = !access.owners.empty() && !access.sources.empty();
    summary_.accesses.push_back(std::move(access));
    addEffect(label, event, place);
  }
  uint64_t size = std::max<uint64_t>(event.size, 1);
  heap_.forget(event.address, size);
  if (!event.isPointer)
    return;
  heap_.store(event.address, event.pointer);
  written_[event.address] = label;
}

void CallAnalysis::addEffect(Label label, const SeedEvent& event, const Located& place) {
  if (!event.isPointer || place.region->paths.empty())
    return;
  std::string edge = regions_.edgeAt(place, event.pointer);
  if (edge.empty())
    return;
  Effect effect{label, held_.empty() ? label : Label::None, place.region->paths, edge, {}};
  if (event.pointer != Address::Null)
    effect.sources = regions_.source(event.pointer);
  summary_.effects.push_back(std::move(effect));
}

/// ALLOC: not controllable, and whatever the address was before is gone.
void CallAnalysis::allocate(const SeedEvent& event) {
  uint64_t size = event.size ? event.size : trace_.types[event.type].size;
  heap_.addObject({event.address, size, event.type});
  regions_.addFresh(fresh_++, event.address, size, event.type);
  for (auto cell = written_.lower_bound(event.address);
       cell != written_.end() && cell->first < event.address + size;)
    cell = written_.erase(cell);
}

void CallAnalysis::release(const SeedEvent& event) {
  Region* region = regions_.regionAt(event.address);
  if (!event.byClient && region && !region->paths.empty() && !region->hasOwners)
    summary_.freed.push_back(region->paths.front());
  regions_.remove(event.address);
  heap_.free(event.address);
}

} // namespace heddle::synth
