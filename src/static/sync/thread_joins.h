#pragma once

#include "static/sync/threads.h"

#include "llvm/ADT/BitVector.h"

namespace heddle::analysis {

/// Which threads a call waits for, and what their handles say: the joins that
/// may-happen-in-parallel is made of.
class ThreadJoins {
public:
  ThreadJoins(const CallGraph& graph, const Threads& threads);

  /// Threads that a call may wait for.
  struct Joined {
    std::vector<uint32_t> threads;
    bool all = false;  ///< not one of several that this could be
    bool other = true; ///< a loop may join another one in each iteration
  };
  /// Whether the call creates or joins a thread, or asks for one.
  bool isRelevant(InstanceId id, const CallOp& call) const;
  bool isJoin(InstanceId id, const CallOp& call) const;
  Joined joinedBy(InstanceId id, const CallOp& call) const;
  /// Threads of which nothing runs on the branch from one block to the other: a thread object turns
  /// out not to be joinable.
  std::vector<uint32_t> notJoinable(InstanceId id, const FunctionConstraints& body,
                                    const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;

private:
  /// The model of what is called, also through a pointer: std::call_once joins an async's thread
  /// so.
  const ExternalModel* modelOf(InstanceId id, const CallOp& call) const;
  /// Locations that a handle was read from; empty when that is not seen.
  std::span<const uint32_t> handlePlaces(InstanceId id, const CallOp& call) const;
  /// Whether the join at the call, of what was read from the places, ends all threads that can be
  /// alive of the kinds.
  bool joinsAll(InstanceId id, const CallOp& call, std::span<const uint32_t> places,
                const std::vector<uint32_t>& joined) const;
  bool isOneOfSeveral(LocationId place, const std::vector<uint32_t>& joined) const;
  bool isInRoundOf(uint32_t thread, InstanceId id, const CallOp& join) const;
  /// Threads that somebody may let go: their objects are not joinable then, and they run on.
  void findDetached();
  /// Places that a std::thread may be moved away from: not being joinable then says nothing of it.
  void findMovedFrom();
  void noteMovedFrom(InstanceId id, const llvm::Value* thread);
  /// In how many places a handle is kept.
  unsigned places(LocationId handle) const;

  const CallGraph& graph_;
  const PointsTo& pointsTo_;
  const Threads& threads_;
  llvm::BitVector detached_;
  llvm::DenseSet<uint32_t> movedFrom_; ///< places
  mutable llvm::DenseMap<uint32_t, unsigned> handlePlaceCounts_;
};

} // namespace heddle::analysis
