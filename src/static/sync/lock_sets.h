#pragma once

#include "static/ir/paths.h"
#include "static/points_to/call_graph.h"
#include "static/sync/spin_locks.h"

namespace heddle::analysis {

/// A lock that is held for sure.
struct HeldLock {
  PathId path = PathId::None; ///< how the function gets to it; None: not by its own means
  LocationId location = LocationId::None; ///< None: one of several
  bool exclusive = true;
  bool handOver = false;       ///< no lock but a place of HandOvers
  bool aliased = false;        ///< there may be another entry for the same lock, by another path
  uint8_t count = 1;           ///< of a recursive one
  PathId guard = PathId::None; ///< the guard object that releases it
  const llvm::CallBase* acquisition = nullptr; ///< for reports

  bool isSame(const HeldLock& other) const {
    return path == other.path && location == other.location && handOver == other.handOver;
  }
};

using LockSet = llvm::SmallVector<HeldLock, 2>;

/// Leaves what both hold: by the same path or at the same place, in the weaker mode.
void intersect(LockSet& into, const LockSet& from);

bool areEqual(const LockSet& one, const LockSet& other);
/// Whether one of them is in the set.
bool holds(const LockSet& held, const HeldLock& lock);
/// Adds a lock, or counts it once more.
void acquire(LockSet& held, HeldLock lock);
/// A place of HandOvers, as a lock.
HeldLock handOver(LocationId place, bool exclusive);

/// What the points-to sets and access paths say of locks: which one an address is, and which ones
/// are gone when it is given back.
class LockSets {
public:
  LockSets(const PointsTo& pointsTo, Paths& paths) : pointsTo_(pointsTo), paths_(paths) {}

  HeldLock lockAt(InstanceId id, const llvm::Value* pointer, bool exclusive,
                  const llvm::CallBase* acquisition) const;
  HeldLock lockAt(InstanceId id, const SpinLocks::Use& use, const llvm::Instruction& at) const;
  /// Releases what is named: the very path, else whatever it may be.
  void release(LockSet& held, const HeldLock& given, std::span<const uint32_t> places) const;
  /// A value becomes another one: what was reached by it before has no name any more.
  void forget(LockSet& held, const llvm::Value& value) const;
  /// Along an edge the phis of the next block get their values: what such a value leads to is
  /// reached by the phi, too. `node = next` takes the name of next's lock to node's.
  void rename(LockSet& held, const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;

private:
  /// The one place that all of them are, or are elements of; None: there are several.
  LocationId placeOf(std::span<const uint32_t> places) const;
  static bool isElement(const Location& one, const Location& of);
  bool mayBe(LocationId lock, std::span<const uint32_t> places) const;

  const PointsTo& pointsTo_;
  Paths& paths_;
};

} // namespace heddle::analysis
