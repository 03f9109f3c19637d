#pragma once

#include "static/ir/paths.h"
#include "static/sync/hand_overs.h"
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

/// Which locks are held where: flow-sensitive, across functions, only what is held on every way.
/// docs/static-locks.md has the rules.
class Locks {
public:
  Locks(const CallGraph& graph, const SpinLocks& spinLocks, const HandOvers& handOvers,
        Paths& paths);
  ~Locks();

  /// Calls visit(locks, instruction) for every instruction of the instance, when `entering` are
  /// held at its start.
  void each(InstanceId instance, const LockSet& entering,
            llvm::function_ref<void(const LockSet&, const llvm::Instruction&)> visit) const;
  /// What a thread holds when it begins: the places that only it sets.
  LockSet atStart(uint32_t thread) const;
  /// What the caller holds at a call, in the callee's terms.
  LockSet inCallee(const LockSet& held, InstanceId caller, const CallOp& call,
                   InstanceId callee) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace heddle::analysis
