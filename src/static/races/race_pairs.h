#pragma once

#include "static/races/access_order.h"
#include "static/races/results.h"
#include "static/races/site_pairs.h"

#include <set>

namespace heddle::analysis {

/// Two accesses that could race.
struct RacePair {
  AccessRecord first, second;
};

class RacePairs {
public:
  /// `everyWay`: pairs() has two places once for each way in which threads get there.
  RacePairs(const Analyses& analyses, bool everyWay);

  const std::vector<RacePair>& pairs() const { return pairs_; }
  const StageCounts& stages() const { return stages_; }

  /// The accesses to an object that several threads can reach, those before its publication too.
  const std::map<ObjectId, std::vector<AccessRecord>>& byObject() const { return byObject_; }
  /// Whether any thread executes it on an object that was published.
  bool isReached(uint32_t site) const { return reached_.contains(site); }
  /// How far two accesses get that touch the same memory, one of them writing.
  Stage judge(const AccessRecord& one, const AccessRecord& other);
  bool overlaps(const AccessRecord& one, const AccessRecord& other) const;
  bool mayMeet(const AccessRecord& one, const AccessRecord& other) const {
    return order_.mayMeet(one, other);
  }
  /// Of two that do not meet: whether they would if nobody waited for threads to end.
  bool isJoined(const AccessRecord& one, const AccessRecord& other) const {
    return order_.isJoined(one, other);
  }
  /// Whether one of the two works for the object's owner, and the other has got the address from an
  /// owner, too: the object was handed over in between.
  static bool haveOwners(const AccessRecord& one, const AccessRecord& other);
  /// The lock that both hold, as the first holds it; null: there is none.
  const HeldLock* commonLock(const AccessRecord& one, const AccessRecord& other);

private:
  struct Place {
    uint32_t site;
    const llvm::CallBase* userCall;
    auto operator<=>(const Place&) const = default;
  };
  using PlacePair = std::pair<Place, Place>;

  /// Accesses that are alike in all that decides whether they race with others.
  struct Group {
    AccessRecord like;
    std::vector<AccessRecord> members;
  };
  void collect();
  void addRecord(ObjectId object, const AccessRecord& record);
  std::vector<Group> groupsOf(const std::vector<AccessRecord>& records);
  uint64_t relationsOf(const AccessRecord& record);
  void pairUp(const std::vector<AccessRecord>& records, bool fresh);
  bool canPair(const AccessRecord& one, const AccessRecord& other, bool fresh) const;
  void addPairs(const Group& one, const Group& other);
  void addPair(const AccessRecord& one, const AccessRecord& other);
  void pairPublished();
  bool isBlock(LocationId location) const;
  bool isInternal(uint32_t activation, ObjectId object);
  bool isAtomicCopy(uint32_t activation) const;
  bool isAtomic(const AccessRecord& record) const {
    return record.atomic || analyses_.sites[record.site].isAtomic();
  }
  bool isOwnedByLibrary(ObjectId object);
  bool isSaidLocal(uint32_t site, ObjectId object) const;
  uint64_t sizeOf(const AccessRecord& record) const;
  bool isGuarded(const AccessRecord& one, const AccessRecord& other);
  bool isHandedOver(LocationId place);
  bool protects(const HeldLock& lock, const AccessRecord& one, const HeldLock& otherLock,
                const AccessRecord& other);
  bool owns(ObjectId owner, ObjectId object) const;
  Place placeOf(const AccessRecord& record) const;
  void count();
  bool isOwn(uint32_t site) const;
  bool findOwn(uint32_t site) const;
  static void note(SitePairs& pairs, const Group& one, const Group& other);
  uint64_t countOwn(const SitePairs& pairs, bool own) const;

  const Analyses analyses_;
  AccessOrder order_;
  bool everyWay_;
  std::map<ObjectId, std::vector<AccessRecord>> byObject_;
  std::map<ObjectId, std::set<std::pair<uint32_t, LocationId>>> private_; ///< objects of one thread
  std::set<PlacePair> found_;
  llvm::DenseMap<LocationId, bool> orders_; ///< places whose own accesses a lock orders
  std::set<std::tuple<ObjectId, uint32_t, LocationId, LockSetId, AliveId, bool, uint32_t,
                      const llvm::CallBase*, Owned>>
      recorded_;
  SitePairs aliasing_, escaping_, unlocked_, started_, unjoined_, meeting_;
  std::set<uint32_t> reached_;
  mutable TypeLayouts layouts_;
  mutable llvm::DenseMap<uint32_t, bool> own_;
  enum class Origin : uint8_t { Program, Standard, Foreign };
  Origin originOf(const llvm::Function& function);
  llvm::DenseMap<const llvm::Function*, Origin> origins_;
  llvm::DenseMap<ObjectId, bool> owned_;
  std::vector<RacePair> pairs_;
  StageCounts stages_;
};

} // namespace heddle::analysis
