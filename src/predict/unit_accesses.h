#pragma once

#include "model/event.h"
#include "model/site_catalog.h"
#include "predict/object_memory.h"
#include "predict/sync_order.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle {

/// A lock that a thread holds, and since when: releasing and acquiring it again makes another
/// instance.
struct HeldInstance {
  uint64_t lock = 0;
  uint64_t instance = 0;
  bool shared = false;

  bool excludes(uint64_t other, bool otherShared) const {
    return lock == other && !(shared && otherShared);
  }
};

/// An object that a unit of work is declared on: it was given to the function, or is a global that
/// the function uses; or the unit adopted it when it used it.
struct UnitObject {
  SiteId entry = SiteId::None;     ///< where the unit begins
  SiteId described = SiteId::None; ///< the entry with its set and members, by whoever was given it
  uint64_t address = 0;
  uint64_t size = 0;
  uint32_t occurrence = 0; ///< which time that the thread came to this entry, from 1
  bool global = false;     ///< one of a set of globals

  bool isAdopted() const { return entry != described; }
  bool contains(uint64_t begin, uint64_t end) const {
    return begin >= address && end <= address + size;
  }
};

/// One execution of a unit of work.
struct WorkUnit {
  uint32_t thread = 0;
  uint32_t function = 0; ///< number of its linkage name
  uint32_t depth = 0;    ///< calls below it
  uint64_t begin = 0;    ///< position of its entry in the trace
  std::vector<UnitObject> objects;
  /// Entries with kSiteCallees: the unit adopts the objects that it uses.
  struct Adoption {
    SiteId entry = SiteId::None;
    uint32_t occurrence = 0;
  };
  std::vector<Adoption> adoptions;
};

/// An access inside a unit of work to an object that the unit is declared on.
struct UnitAccess {
  uint32_t unit = 0;
  uint32_t thread = 0;
  SiteId site = SiteId::None;
  uint64_t context = 0; ///< contextHash of the calls from the unit to it
  uint64_t address = 0;
  uint64_t size = 0;
  uint64_t position = 0; ///< in the trace
  uint32_t clock = 0;    ///< of UnitTrace::clocks
  uint32_t locks = 0;    ///< of UnitTrace::lockStates
  bool read = false;
  bool write = false;
  uint8_t object = 0; ///< of the unit's objects, to which the memory belongs
};

struct Acquisition {
  uint64_t position = 0;
  uint64_t lock = 0;
  bool shared = false;
};

/// What a trace says about units of work.
struct UnitTrace {
  std::vector<WorkUnit> units;
  std::vector<UnitAccess> accesses; ///< in order
  std::vector<VectorClock> clocks;  ///< `must` of SyncOrder
  std::vector<std::vector<HeldInstance>> lockStates;
  std::vector<std::vector<Acquisition>> acquisitions; ///< by thread, in order
  /// Memory that was freed, by its address: accesses before and after it are not to the same
  /// memory.
  struct Freed {
    uint64_t end, position;
  };
  std::map<uint64_t, std::vector<Freed>> freed;
  uint64_t largestFreed = 0;
};

/// Reads a trace that was recorded with kPlanUnits: follows the call stacks, and finds the
/// outermost unit of work to which each access belongs.
///
/// Rules of the heuristics that need the run: the first function of a thread is no unit, a function
/// that is entered within a unit on the same object is part of that one, and memory that is
/// allocated in a unit belongs to its objects: elements of a container, what a pointer hides.
/// A unit with a kSiteCallees entry adopts what it uses: of the objects that some function was
/// given, or of the globals of one set that some function uses.
class UnitAccesses {
public:
  /// `declared`: linkage names of functions that are units although their entries say that they are
  /// none by heuristic, and for all objects that they use.
  UnitAccesses(const SiteCatalog& sites, const std::set<std::string>& declared);

  void add(const Event& event);
  UnitTrace take() { return std::move(trace_); }

private:
  struct Thread {
    std::vector<uint32_t> frames; ///< call sites, outermost first
    std::vector<uint32_t> open;   ///< units, outermost first
    std::vector<HeldInstance> held;
    LockSetId lockSet = LockSetId::Empty;
    uint32_t lockState = 0;
    uint32_t clock = 0;
    bool clockMayDiffer = true;
    std::unordered_map<uint32_t, uint32_t> entries; ///< how often it came to each entry
  };

  void frame(const Event& event);
  void enter(const Event& event);
  void access(const Event& event, bool read, bool write);
  void allocate(const Event& event);
  void free(const Event& event);
  void sync(const Event& event);
  void followLocks(uint32_t thread);
  Thread& thread(uint32_t index);
  uint32_t functionOf(uint32_t site) const {
    return site < functions_.size() ? functions_[site] : 0;
  }
  /// The first object of the unit to which the accessed memory belongs; the number of objects:
  /// none.
  size_t objectWith(const WorkUnit& unit, const Event& access) const;
  /// The same by what the source says: `table->buckets[i]` is the table's, wherever it lies.
  size_t objectReaching(const WorkUnit& unit, uint32_t site) const;
  bool isReferenceCount(uint32_t site) const {
    return site < countsReferences_.size() && countsReferences_[site];
  }
  bool isWanted(const SiteEntry& entry, const Thread& thread) const;
  bool isDeclared(const SiteEntry& entry) const;
  /// Whether the unit is for the objects of such an entry, because of its own `adoption`.
  bool adopts(const WorkUnit::Adoption& adoption, const SiteEntry& entry) const;
  bool isInside(const Thread& thread, const Event& entry, uint64_t size) const;
  /// The unit of the function that is just being entered.
  WorkUnit& enteredUnit(Thread& thread, const Event& entry);
  bool isEnteredNow(const WorkUnit& unit, const Event& entry, uint32_t depth) const;
  /// Makes the object that is accessed one of the unit's, if it adopts it: its index, or the number
  /// of objects.
  size_t adopt(WorkUnit& unit, const Event& access);
  bool isAlive(const WorkUnit& unit, const Thread& thread, uint32_t function) const;
  void leaveEndedUnits(Thread& thread, uint32_t function);
  void divideUnits(Thread& thread);
  /// Whether an access is a part of a barrier or a latch of the library.
  bool isAtRendezvous(const Thread& thread, uint32_t site) const;
  bool isFirstFunction(const Thread& thread) const;
  uint64_t contextOf(const Thread& thread, const WorkUnit& unit) const;

  const SiteCatalog& sites_;
  const std::set<std::string>& declared_;
  std::vector<uint32_t> functions_; ///< of each site; 0: none
  SyncOrder order_;
  std::vector<Thread> threads_;
  std::vector<bool> reaches_;          ///< whether the site goes through a pointer of a class
  std::vector<bool> rendezvous_;       ///< whether the site is in a barrier of the library
  std::vector<bool> countsReferences_; ///< whether the site belongs to a shared_ptr's counts
  ObjectMemory memory_;
  UnitTrace trace_;
  uint64_t position_ = 0;
  uint64_t instances_ = 0;
  uint32_t lastSync_ = UINT32_MAX; ///< thread of the last sync event, which may be pending
};

} // namespace heddle
