#pragma once

#include "static/threads.h"

#include <set>

namespace heddle::analysis {

/// Checks which elements are really chosen by a loop's round. The points-to analysis says what an
/// index may be; here every value that can get there must be the round's number, so that one call
/// with another index makes all elements of the object possible.
class Rounds {
public:
  Rounds(const CallGraph& graph, const Threads& threads);

  /// Whether the location's element is the one of the loop's round for sure, when the thread gets
  /// there.
  bool isSure(const Location& location, uint32_t thread) const {
    return !unsure_.contains({location.object, location.round, thread});
  }

private:
  void findMixed();
  bool mixIn(InstanceId instance, const llvm::Instruction& instruction);
  void findUnsure();
  /// What is asked of a value, in the runs of one thread or of any.
  struct Question {
    ObjectId round;
    uint32_t thread;
    unsigned depth = 0;
  };
  bool isRound(InstanceId instance, const llvm::Value* value, Question question) const;
  bool isArgumentRound(InstanceId instance, const llvm::Argument& argument,
                       Question question) const;
  bool isLoadRound(InstanceId instance, const llvm::LoadInst& load, ObjectId round) const;
  bool isResultRound(InstanceId instance, const llvm::CallBase& call, Question question) const;
  void findHolding();
  ObjectId roundIn(LocationId location) const;

  const CallGraph& graph_;
  const PointsTo& pointsTo_;
  const Threads& threads_;
  llvm::DenseMap<LocationId, ObjectId> holding_; ///< which round's number a location may hold
  std::set<LocationId> mixed_;                   ///< where rounds are kept, and other numbers
  std::set<std::tuple<ObjectId, ObjectId, uint32_t>> unsure_; ///< object, round, thread
};

} // namespace heddle::analysis
