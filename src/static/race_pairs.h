#pragma once

#include "static/activations.h"
#include "static/analysis.h"
#include "static/escape.h"
#include "static/rounds.h"

#include <set>

namespace heddle::analysis {

/// One access in its circumstances.
struct AccessRecord {
  uint32_t site; ///< Sites
  uint32_t activation;
  LocationId location;
  LockSetId locks;
  AliveId alive;
  bool fresh; ///< before its object was published
};

/// Two accesses that could race.
struct RacePair {
  AccessRecord first, second;
};

class RacePairs {
public:
  RacePairs(const CallGraph& graph, const Threads& threads, const Locks& locks,
            const HandOvers& handOvers, const Parallel& parallel, const Escape& escape,
            const Freshness& freshness, Activations& activations, Sites& sites, Paths& paths,
            const llvm::Module& module);

  const std::vector<RacePair>& pairs() const { return pairs_; }
  const StageCounts& stages() const { return stages_; }

private:
  struct Place {
    uint32_t site;
    const llvm::CallBase* userCall;
    auto operator<=>(const Place&) const = default;
  };
  using PlacePair = std::pair<Place, Place>;
  using SitePair = std::pair<uint32_t, uint32_t>;

  void collect();
  void pairUp(const std::vector<AccessRecord>& records, bool fresh);
  void pairPublished();
  bool overlaps(const AccessRecord& one, const AccessRecord& other) const;
  uint64_t sizeOf(const AccessRecord& record) const;
  bool mayMeet(const AccessRecord& one, const AccessRecord& other) const;
  bool haveOwnSlots(const AccessRecord& one, const AccessRecord& other) const;
  bool isGuarded(const AccessRecord& one, const AccessRecord& other);
  bool isHandedOver(LocationId place);
  bool protects(const HeldLock& lock, const AccessRecord& one, const HeldLock& otherLock,
                const AccessRecord& other);
  bool owns(ObjectId owner, ObjectId object) const;
  Place placeOf(const AccessRecord& record) const;
  void count(const llvm::Module& module);
  static uint64_t pairsByName(const Sites& sites, const std::vector<uint32_t>& which);
  void note(std::set<SitePair>& pairs, const AccessRecord& one, const AccessRecord& other) const;

  const CallGraph& graph_;
  const PointsTo& pointsTo_;
  const Threads& threads_;
  const Locks& locks_;
  const HandOvers& handOvers_;
  const Parallel& parallel_;
  const Escape& escape_;
  const Freshness& freshness_;
  Activations& activations_;
  Sites& sites_;
  Paths& paths_;
  std::map<ObjectId, std::vector<AccessRecord>> byObject_;
  std::map<ObjectId, std::set<std::pair<uint32_t, LocationId>>> private_; ///< objects of one thread
  std::set<PlacePair> found_;
  llvm::DenseMap<LocationId, bool> orders_; ///< places whose own accesses a lock orders
  std::set<SitePair> aliasing_, escaping_, unlocked_, meeting_;
  std::set<uint32_t> reached_;
  mutable TypeLayouts layouts_;
  Rounds rounds_;
  std::vector<RacePair> pairs_;
  StageCounts stages_;
};

} // namespace heddle::analysis
