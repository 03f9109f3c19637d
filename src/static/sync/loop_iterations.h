#pragma once

#include "static/sync/threads.h"

#include <set>

namespace heddle::analysis {

/// Checks which elements are really chosen by a loop's iteration. The points-to analysis says what
/// an index may be; here every value that can get there must be the iteration's number, so that one
/// call with another index makes all elements of the object possible.
class LoopIterations {
public:
  LoopIterations(const CallGraph& graph, const Threads& threads);

  /// Whether the location's element is the one of the loop's iteration for sure, when the thread
  /// gets there.
  bool isSure(const Location& location, uint32_t thread) const {
    return !unsure_.contains({location.object, location.iteration, thread});
  }

private:
  void findMixed();
  bool mixIn(InstanceId instance, const llvm::Instruction& instruction);
  void findUnsure();
  /// What is asked of a value, in the runs of one thread or of any.
  struct Question {
    ObjectId iteration;
    uint32_t thread;
    unsigned depth = 0;
  };
  bool isIteration(InstanceId instance, const llvm::Value* value, Question question) const;
  bool isArgumentIteration(InstanceId instance, const llvm::Argument& argument,
                           Question question) const;
  bool isLoadIteration(InstanceId instance, const llvm::LoadInst& load, ObjectId iteration) const;
  bool isResultIteration(InstanceId instance, const llvm::CallBase& call, Question question) const;
  void findHolding();
  ObjectId iterationIn(LocationId location) const;

  const CallGraph& graph_;
  const PointsTo& pointsTo_;
  const Threads& threads_;
  llvm::DenseMap<LocationId, ObjectId> holding_; ///< which iteration's number a location may hold
  std::set<LocationId> mixed_;                   ///< where iterations are kept, and other numbers
  std::set<std::tuple<ObjectId, ObjectId, uint32_t>> unsure_; ///< object, iteration, thread
};

} // namespace heddle::analysis
