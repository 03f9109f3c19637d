#pragma once

#include "few.h"
#include "operation.h"

#include <map>
#include <set>
#include <span>

namespace heddle::explore {

/// How an operation touches an object of synchronization. Reads commute with reads, additions with
/// additions; everything else on the same object is in conflict.
enum class AccessMode : uint8_t { Read, Add, Write };

constexpr bool inConflict(AccessMode a, AccessMode b) { return a != b || a == AccessMode::Write; }

struct SyncAccess {
  uint64_t object = 0;
  AccessMode mode = AccessMode::Read;
  bool operator==(const SyncAccess&) const = default;
};
using SyncAccesses = Few<SyncAccess, 2>;

/// The state of the objects of synchronization after some operations, so that the search knows,
/// without executing it, whether an operation could be taken there and what it would touch.
class SyncState {
public:
  void take(const Operation& operation);
  /// Whether it could be taken now; data and failures always can.
  bool enabled(const Operation& operation) const;
  /// What it touches when it is taken now. Empty for data.
  SyncAccesses accesses(const Operation& operation) const;
  /// An object that it may touch elsewhere although it does not where it was taken: whether a
  /// thread waits for a word depends on what came before. 0: none.
  static uint64_t otherObject(const Operation& operation);
  /// In how many ways it can be taken now: a NotifyOne has its choice of the waiters.
  uint32_t choices(const Operation& operation) const;

private:
  struct Mutex {
    bool owned = false;
    uint32_t readers = 0;
  };
  enum class OnceState : uint8_t { Fresh, Running, Done };

  bool isFree(uint64_t mutex) const;
  bool isExclusive(uint64_t mutex) const;
  int64_t count(const Operation& operation) const;
  SyncAccesses lockAccesses(const Operation& operation) const;
  SyncAccesses notifyAccesses(const Operation& operation) const;
  SyncAccesses wordAccesses(const Operation& operation) const;
  SyncAccesses arrivalAccesses(const Operation& operation) const;
  uint64_t wordBefore(const Operation& operation) const;
  SyncAccesses onceAccesses(const Operation& operation) const;
  SyncAccesses counterAccesses(const Operation& operation) const;
  void takeCount(const Operation& operation);
  void takeLock(const Operation& operation);
  void takeWait(const Operation& operation);
  void takeOnce(const Operation& operation);
  void takeWord(const Operation& operation);
  std::vector<ThreadNumber> taken(const Operation& notify) const;

  std::map<uint64_t, Mutex> mutexes_;
  std::map<uint64_t, int64_t> counters_; ///< change from the first count
  std::map<uint64_t, OnceState> onces_;
  std::map<uint64_t, std::set<ThreadNumber>> waiters_;
  std::set<std::pair<uint64_t, ThreadNumber>> notified_;
  std::map<std::pair<uint64_t, ThreadNumber>, int64_t> arrivals_; ///< count after its arrival
  std::map<uint64_t, uint64_t> words_;                            ///< that were written
  std::set<ThreadNumber> ended_;
};

} // namespace heddle::explore
