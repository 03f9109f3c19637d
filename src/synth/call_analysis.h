#pragma once

#include "synth/call_regions.h"

#include <vector>

namespace heddle::synth {

/// The rules of figures 7 and 9 of "Synthesizing Racy Tests" (Samak, Ramanathan, Jagannathan,
/// PLDI 2015) on the events of one client call. Differs from the paper in that a location is an
/// address: an alias is an equal address, and src is kept per object when a pointer of the entry
/// state is read. docs/synthesis.md has each rule.
class CallAnalysis {
public:
  CallAnalysis(const SeedTrace& trace, SeedHeap& heap, CallId call, Label begin);

  void add(Label label, const SeedEvent& event);
  /// With the event that returns to the client.
  CallSummary finish(Label label, const SeedEvent& event);

private:
  void bindRoots(const SeedEvent& event);
  void walkEntry(Address object, size_t depth);
  void addEntryEdges(const Region& region, std::vector<Address>& next);
  void read(Label label, const SeedEvent& event);
  void write(Label label, const SeedEvent& event);
  Access describe(Label label, const SeedEvent& event, const Located& place);
  void addEffect(Label label, const SeedEvent& event, const Located& place);
  void allocate(const SeedEvent& event);
  void release(const SeedEvent& event);
  void lock(const SeedEvent& event);
  void unlock(Label label, const SeedEvent& event);
  bool isLocked(const Region& region, bool forWrite) const;
  TypeId targetType(const Located& place, const SeedEvent& event) const;

  void addPlacements();
  void addPlacement(const AccessPath& target, Address object, Label label, size_t depth,
                    bool exclusive);
  void addUndonePlacements();
  void addResult(const SeedEvent& event);
  void placeCells(const AccessPath& owner, Address object, uint64_t size, size_t depth);
  bool isExclusiveEdge(const Located& place) const;

  const SeedTrace& trace_;
  SeedHeap& heap_;
  CallRegions regions_;
  CallSummary summary_;
  std::map<Address, Label> written_; ///< cells whose entry value is gone, and who wrote them last
  std::vector<HeldLock> held_;
  std::vector<Address> visiting_; ///< objects on the way of the placement that is looked for
  uint32_t fresh_ = 0;
};

/// All client calls of the trace, in order. Calls that a client makes inside a callback belong to
/// the call around them.
std::vector<CallSummary> analyseCalls(const SeedTrace& trace);

} // namespace heddle::synth
