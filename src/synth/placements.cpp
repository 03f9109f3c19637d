#include "synth/call_analysis.h"

#include <algorithm>

/// The end of a call: which of the client's objects it has left where (figure 9 with RETURN).
namespace heddle::synth {

bool CallAnalysis::isExclusiveEdge(const Located& place) const {
  return isExclusive(trace_.types[place.member.type].kind);
}

/// The edge that `target` ends with leads to `object` now.
void CallAnalysis::addPlacement(const AccessPath& target, Address object, Label label, size_t depth,
                                bool exclusive) {
  for (const AccessPath& source : regions_.source(object))
    if (source.isKnown() && source != target)
      summary_.placements.push_back({target, source, label, true, exclusive});
  Region* region = regions_.regionAt(object);
  if (!region || region->isControllable() || depth == 0)
    return; // a client's object has paths of its own, under which its cells are visited
  if (std::ranges::find(visiting_, region->begin) != visiting_.end())
    return; // an object that leads to itself
  visiting_.push_back(region->begin);
  placeCells(target, region->begin, region->size, depth - 1);
  visiting_.pop_back();
}

/// The pointers in an object that was made by the call.
void CallAnalysis::placeCells(const AccessPath& owner, Address object, uint64_t size,
                              size_t depth) {
  for (const auto& [cell, target] : heap_.cellsIn(object, size)) {
    Located place = regions_.locate(cell);
    std::string edge = regions_.edgeAt(place, target);
    auto writer = written_.find(cell);
    if (edge.empty() || target == Address::Null || writer == written_.end())
      continue;
    addPlacement(owner.then(edge), target, writer->second, depth, isExclusiveEdge(place));
  }
}

void CallAnalysis::addPlacements() {
  for (const auto& [cell, label] : written_) {
    Located place = regions_.locate(cell);
    std::optional<Address> target = heap_.load(cell);
    if (!target || *target == Address::Null || !place.region || !place.region->isControllable())
      continue;
    std::string edge = regions_.edgeAt(place, *target);
    if (edge.empty())
      continue;
    for (const AccessPath& path : place.region->paths)
      addPlacement(path.then(edge), *target, label, CallRegions::kMaxEdges, isExclusiveEdge(place));
  }
}

/// Writeable assignments that a later one of the same call undoes: the call has to be held there.
void CallAnalysis::addUndonePlacements() {
  auto lasts = [&](const AccessPath& target, const AccessPath& source) {
    return std::ranges::any_of(summary_.placements, [&](const Placement& known) {
      return known.target == target && known.source == source;
    });
  };
  for (const Effect& effect : summary_.effects)
    for (const AccessPath& owner : effect.owners)
      for (const AccessPath& source : effect.sources)
        if (owner.isKnown() && source.isKnown() && !lasts(owner.then(effect.edge), source))
          summary_.placements.push_back(
              {owner.then(effect.edge), source, effect.label, false, false});
}

/// RETURN: a set of paths from the result, through objects that were made inside and through
/// objects of the client that the call has changed.
void CallAnalysis::addResult(const SeedEvent& event) {
  if (summary_.result.kind != ValueKind::Object)
    return;
  Address object = summary_.result.object;
  AccessPath result{RootKind::Result, 0, {}};
  std::vector<AccessPath> paths = regions_.source(object);
  summary_.resultObject = paths.empty() ? AccessPath{} : paths.front();
  Label label = static_cast<Label>(&event - trace_.events.data());
  if (paths.empty()) // by value, in memory of the client
    if (Region* made = regions_.addRoot({}, object, summary_.result.type))
      made->paths.clear();
  addPlacement(result, object, label, CallRegions::kMaxEdges, false);
  std::vector<Placement> direct;
  for (const Placement& placement : summary_.placements)
    if (placement.target.root == RootKind::Result)
      direct.push_back(placement);
  for (const Placement& reached : direct) // result.z is arg1, and arg1.f was set: so is result.z.f
    for (size_t i = 0, count = summary_.placements.size(); i < count; ++i) {
      Placement inside = summary_.placements[i];
      AccessPath path = inside.target;
      const AccessPath& base = reached.source;
      bool extends = path.root == base.root && path.index == base.index &&
                     path.edges.size() > base.edges.size() && path.root != RootKind::Result &&
                     std::equal(base.edges.begin(), base.edges.end(), path.edges.begin());
      if (!extends)
        continue;
      inside.target = reached.target;
      inside.target.edges.insert(inside.target.edges.end(), path.edges.begin() + base.edges.size(),
                                 path.edges.end());
      summary_.placements.push_back(std::move(inside));
    }
}

CallSummary CallAnalysis::finish(Label label, const SeedEvent& event) {
  for (Effect& effect : summary_.effects)
    if (effect.lockFree == Label::None)
      effect.lockFree = label;
  summary_.end = label;
  summary_.threw = event.threw;
  if (!event.values.empty())
    summary_.result = event.values.front();
  addPlacements();
  addResult(event);
  addUndonePlacements();
  return std::move(summary_);
}

namespace {

/// What happens between client calls, in the client's own code.
void applyOutside(SeedHeap& heap, const SeedEvent& event) {
  switch (event.kind) {
  case EventKind::TestBegin:
    return heap.clear();
  case EventKind::Allocate:
  case EventKind::Object:
    return heap.addObject({event.address, event.size, event.type});
  case EventKind::Free:
    return heap.free(event.address);
  case EventKind::Adopt:
    return heap.adopt(event.address, event.size, event.owner);
  case EventKind::Write:
    heap.forget(event.address, std::max<uint64_t>(event.size, 1));
    if (event.isPointer)
      heap.store(event.address, event.pointer);
    return;
  case EventKind::Call:
  case EventKind::Return:
  case EventKind::Read:
  case EventKind::Lock:
  case EventKind::Unlock:
    return;
  }
}

/// The objects of a call's values that nobody told of yet: those that the client holds by value.
void announce(SeedHeap& heap, const std::vector<Value>& values) {
  for (const Value& value : values)
    if (value.kind == ValueKind::Object && !heap.objectAt(value.object))
      heap.addObject({value.object, 0, value.type});
}

} // namespace

std::vector<CallSummary> analyseCalls(const SeedTrace& trace) {
  std::vector<CallSummary> calls;
  SeedHeap heap(trace.types);
  std::optional<CallAnalysis> current;
  std::string test;
  size_t depth = 0;
  for (size_t i = 0; i < trace.events.size(); ++i) {
    const SeedEvent& event = trace.events[i];
    auto label = static_cast<Label>(i);
    if (event.kind == EventKind::TestBegin) {
      test = event.text;
      current.reset();
      depth = 0;
    }
    if (event.kind == EventKind::Call && depth++ == 0) {
      announce(heap, event.values);
      current.emplace(trace, heap, static_cast<CallId>(calls.size()), label);
    } else if (event.kind == EventKind::Return && depth > 0 && --depth == 0) {
      calls.push_back(current->finish(label, event));
      calls.back().test = test;
      current.reset();
      if (trace.methods[raw(calls.back().method)].kind == MethodKind::Destructor)
        heap.free(calls.back().values.front().object);
      announce(heap, event.values);
    } else if (current) {
      current->add(label, event);
    } else {
      applyOutside(heap, event);
    }
  }
  return calls;
}

} // namespace heddle::synth
