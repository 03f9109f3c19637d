#pragma once

#include "static/points_to/call_graph.h"

#include <map>

namespace llvm {
class Loop;
} // namespace llvm

namespace heddle::analysis {

/// One kind of thread: what one call, in one context, starts. Thread 0 is main with what runs
/// before it.
struct Thread {
  InstanceId creator = InstanceId::None;
  uint32_t call = 0; ///< in the creator's body
  const llvm::CallBase* creation = nullptr;
  InstanceId entry = InstanceId::None; ///< none for main, which has several
  bool many = false;                   ///< there can be several of it
};

/// Which threads there are, and what runs in each of them.
class Threads {
public:
  explicit Threads(const CallGraph& graph);

  std::span<const Thread> all() const { return threads_; }
  /// Threads that execute the instance, sorted.
  std::span<const uint32_t> executing(InstanceId instance) const {
    return executing_[raw(instance)];
  }
  /// Instances that the thread executes.
  std::span<const InstanceId> instances(uint32_t thread) const { return instances_[thread]; }
  /// Whether the instance runs at most once in a run of the program.
  bool runsOnce(InstanceId instance) const { return once_[raw(instance)]; }
  /// Whether there is at most one such object in a run of the program.
  bool isSingle(ObjectId object) const;
  /// The calls that lead from `top` to a place in an instance, by instance, and the place itself.
  using Ways = std::map<InstanceId, llvm::SmallVector<const llvm::Instruction*, 2>>;
  /// False when some other way leads there.
  bool findWays(InstanceId instance, const llvm::Instruction* place, InstanceId top,
                Ways& found) const;
  /// Whether each iteration of the instance's loop creates one thread of the two kinds at most.
  bool isOnePerIteration(uint32_t thread, uint32_t other, InstanceId maker,
                         const llvm::Loop& loop) const;
  /// Whether each iteration of the loop creates one thread of the two kinds at most, so that what
  /// differs from iteration to iteration differs from thread to thread.
  bool isOnePerIteration(uint32_t thread, uint32_t other, ObjectId iteration) const;
  /// Whether the instruction of the loop comes before the iteration's thread is created: those that
  /// are there were created in other iterations.
  bool isBeforeCreation(const llvm::Instruction& at, uint32_t thread, ObjectId iteration) const;
  /// Threads that a handle's object stands for.
  std::span<const uint32_t> ofHandle(ObjectId handle) const;
  /// Threads that this one creates, directly or not.
  const std::vector<uint32_t>& descendants(uint32_t thread) const { return descendants_[thread]; }

private:
  void findOnce();
  void collect();
  void traverse(uint32_t thread, std::span<const InstanceId> entries);
  void findDescendants();
  bool findCreations(uint32_t thread, InstanceId top, Ways& found) const;

  const CallGraph& graph_;
  const PointsTo& pointsTo_;
  std::vector<Thread> threads_;
  std::vector<std::vector<uint32_t>> executing_;
  std::vector<std::vector<InstanceId>> instances_;
  std::vector<std::vector<uint32_t>> descendants_;
  std::vector<char> once_;
  llvm::DenseMap<std::pair<uint32_t, const llvm::Value*>, std::vector<uint32_t>> byHandle_;
};

} // namespace heddle::analysis
