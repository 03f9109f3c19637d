#pragma once

#include "static/ir/conditions.h"
#include "static/ir/flow.h"
#include "static/sync/hand_overs.h"
#include "static/sync/lock_sets.h"

/// How locks are taken and given back in one function. docs/static-locks.md has the rules.
namespace heddle::analysis {

/// What a function does to the locks of its caller, in the function's own terms.
struct LockSummary {
  LockSet acquired;                     ///< held on every return
  llvm::SmallVector<HeldLock, 2> given; ///< released, perhaps: path and location of each
  LockSet conditional;                  ///< acquired when the result is (not) zero
  bool whenZero = false;

  bool isNothing() const { return acquired.empty() && given.empty() && conditional.empty(); }
};

using LockSummaries = llvm::DenseMap<uint32_t, LockSummary>; ///< by instance

/// Whether a call of a function with the effect can change what is held.
bool isLockEffect(Effect effect);

struct LockState {
  LockSet held;
  llvm::SmallVector<HeldLock, 2> given; ///< released without having been acquired here
};

/// The flow through one instance: an Analysis of Flow.
struct LockFlow {
  const CallGraph& graph;
  const SpinLocks& spinLocks;
  const HandOvers& handOvers;
  Paths& paths;
  const LockSets& sets;
  const LockSummaries& summaries; ///< of callees
  InstanceId id;
  const FunctionConstraints& body;

  void step(LockState& state, const llvm::Instruction& instruction) const;

  void stepLocks(LockState& state, const llvm::Instruction& instruction) const;

  void stepModel(LockState& state, const CallOp& op) const;

  void give(LockState& state, const HeldLock& given, std::span<const uint32_t> places) const;

  void stepCall(LockState& state, uint32_t index, const CallOp& op) const;

  void applySummary(LockState& state, const LockSummary& summary, const llvm::CallBase& call,
                    InstanceId callee) const;

  void edge(LockState& state, const LockState& before, const llvm::BasicBlock& from,
            const llvm::BasicBlock& to) const;

  bool merge(LockState& into, const LockState& from) const;

  /// The mutex of a std::unique_lock or shared_lock: what its constructor was given.
  HeldLock guardedBy(const llvm::Value* guard, const llvm::CallBase* acquisition) const;

  /// What a branch says about an attempt to lock.
  void learn(LockSet& held, const Outcome& outcome, bool taken) const;

  PathId toCaller(PathId path, const llvm::CallBase& call) const;
};

} // namespace heddle::analysis
