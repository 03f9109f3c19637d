#pragma once

#include "synth/call_summary.h"
#include "synth/seed_heap.h"

#include <list>
#include <set>

namespace heddle::synth {

/// An object as one client call sees it: the H of figure 7, on concrete addresses. Two variables
/// are aliases if they have the same address, so that nothing has to be walked.
struct Region {
  Address begin = Address::Null;
  uint64_t size = 0;
  TypeId type = TypeId::None;
  /// Paths from what the client gave, the last that was used first; empty or Fresh: not
  /// controllable.
  std::vector<AccessPath> paths;
  bool hasOwners = false; ///< std::shared_ptr leads to it: nobody is its only owner
  bool isControllable() const { return !paths.empty() && paths.front().isKnown(); }
};

/// Where an address lies.
struct Located {
  Region* region = nullptr;
  MemberPlace member;
  uint64_t intoMember = 0;  ///< bytes from where the member begins
  bool inContainer = false; ///< in memory that a container of the region allocated
};

/// The regions of one call: receiver and arguments at its start, then what it reaches through
/// pointers that it finds (the lazy R of section 4), and what it allocates.
class CallRegions {
public:
  static constexpr size_t kMaxPaths = 3; ///< per object: aliases that the client had made
  static constexpr size_t kMaxEdges = 6; ///< per path

  CallRegions(const TypeTable& types, const SeedHeap& heap) : types_(types), heap_(heap) {}

  void addGlobal(uint32_t index, const GlobalObject& global);
  /// The object of an argument or a result.
  Region* addRoot(AccessPath path, Address object, TypeId type);
  /// Library code has made an object in this call: the ALLOC rule.
  void addFresh(uint32_t index, Address address, uint64_t size, TypeId type);
  void remove(Address address);
  /// A pointer that the client's objects held at entry leads there: the path is another name of
  /// the object, and now the likeliest one.
  void reach(const AccessPath& path, Address target, TypeId type);

  Located locate(Address address);
  Region* regionAt(Address address);
  /// Paths of an object, or none.
  std::vector<AccessPath> source(Address object);
  const std::list<Region>& regions() const { return regions_; }
  /// The name of the edge that a pointer at this address is; empty if it is none.
  std::string edgeAt(const Located& place, Address target) const;

private:
  HeapObject extentOf(Address address, TypeId type) const;
  static void addPath(Region& region, const AccessPath& path);
  Located locateInBlock(const SeedHeap::Block& block, Address address);

  const TypeTable& types_;
  const SeedHeap& heap_;
  std::list<Region> regions_; ///< the order of discovery
};

} // namespace heddle::synth
