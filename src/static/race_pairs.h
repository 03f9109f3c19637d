#pragma once

#include "static/activations.h"
#include "static/escape.h"

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

/// How many pairs of accesses each stage of the analysis left.
struct StageCounts {
  uint64_t original = 0;  ///< same member or variable, one writes
  uint64_t reachable = 0; ///< both run in some thread
  uint64_t aliasing = 0;  ///< may be the same memory
  uint64_t escaping = 0;  ///< which several threads may reach
  uint64_t parallel = 0;  ///< at the same time
  uint64_t unlocked = 0;  ///< without a common lock
};

class RacePairs {
public:
  RacePairs(const CallGraph& graph, const Threads& threads, const Locks& locks,
            const Parallel& parallel, const Escape& escape, const Freshness& freshness,
            Activations& activations, Sites& sites, Paths& paths);

  const std::vector<RacePair>& pairs() const { return pairs_; }
  const StageCounts& stages() const { return stages_; }

private:
  struct Place {
    uint32_t site;
    const llvm::CallBase* userCall;
    auto operator<=>(const Place&) const = default;
  };
  using PlacePair = std::pair<Place, Place>;

  void collect();
  void pairUp(const std::vector<AccessRecord>& records, bool fresh);
  void pairPublished();
  bool overlaps(const AccessRecord& one, const AccessRecord& other) const;
  bool mayMeet(const AccessRecord& one, const AccessRecord& other) const;
  bool isGuarded(const AccessRecord& one, const AccessRecord& other);
  bool protects(const HeldLock& lock, const AccessRecord& one, const HeldLock& otherLock,
                const AccessRecord& other);
  bool owns(ObjectId owner, ObjectId object) const;
  Place placeOf(const AccessRecord& record) const;
  void countOriginal();

  const CallGraph& graph_;
  const PointsTo& pointsTo_;
  const Threads& threads_;
  const Locks& locks_;
  const Parallel& parallel_;
  const Escape& escape_;
  const Freshness& freshness_;
  Activations& activations_;
  Sites& sites_;
  Paths& paths_;
  std::map<ObjectId, std::vector<AccessRecord>> byObject_;
  std::map<PlacePair, uint8_t> levels_;
  std::vector<RacePair> pairs_;
  StageCounts stages_;
};

} // namespace heddle::analysis
