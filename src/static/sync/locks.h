#pragma once

#include "static/sync/hand_overs.h"
#include "static/sync/lock_sets.h"

namespace heddle::analysis {

/// Which locks are held where: flow-sensitive, across functions, only what is held on every way.
/// docs/static-locks.md has the rules.
class Locks {
public:
  Locks(const CallGraph& graph, const SpinLocks& spinLocks, const HandOvers& handOvers,
        Paths& paths);
  ~Locks();

  /// Whether all that functions do to locks was found out: see SummarySolver.
  bool isSettled() const;

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
