#pragma once

#include "static/sync/threads.h"

namespace heddle::analysis {

/// Objects that a round of a loop makes and hands to the one thread that it creates: each thread
/// has its own, whatever it does with it.
class RoundObjects {
public:
  RoundObjects(const CallGraph& graph, const Threads& threads)
      : graph_(graph), pointsTo_(graph.pointsTo()), threads_(threads) {}

  /// Whether two threads of these kinds never know the same object of those that are made at its
  /// place.
  bool areOwn(ObjectId object, uint32_t thread, uint32_t other) const;

private:
  /// The loop that creates the threads, in the function that has it.
  struct Rounds {
    InstanceId maker = InstanceId::None;
    const llvm::Loop* loop = nullptr;
  };
  bool findOwn(ObjectId object, uint32_t thread, uint32_t other) const;
  Rounds roundsOf(uint32_t thread) const;
  bool isMadeInRound(ObjectId object, const Rounds& rounds) const;
  bool isCarried(ObjectId object, const Rounds& rounds) const;
  bool isKeptInRound(ObjectId object, const Rounds& rounds, uint32_t thread, uint32_t other,
                     llvm::DenseSet<uint32_t>& seen) const;
  bool isOfRound(const Object& local, const Rounds& rounds, uint32_t thread, uint32_t other) const;
  bool pointsAt(InstanceId instance, const llvm::Value& value, ObjectId object) const;
  const std::vector<ObjectId>& holdersOf(ObjectId object) const;

  const CallGraph& graph_;
  const PointsTo& pointsTo_;
  const Threads& threads_;
  mutable std::vector<std::vector<ObjectId>> holders_; ///< objects with addresses of an object
  mutable std::map<std::tuple<ObjectId, uint32_t, uint32_t>, bool> known_;
};

} // namespace heddle::analysis
