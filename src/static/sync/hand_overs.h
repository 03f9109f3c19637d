#pragma once

#include "static/ir/value_accesses.h"
#include "static/sync/threads.h"

#include <map>

namespace heddle::analysis {

/// Places by which one thread tells others that it has got somewhere: flags, promises, semaphores.
///
/// Such a place exists once, and all that set it are the same one thread. Whoever has seen it set
/// is then after everything that this thread did before it set it for the first time. The lock
/// analysis treats it as something that the setting thread holds alone until it sets it, and that
/// others share from when they have seen it.
class HandOvers {
public:
  HandOvers(const CallGraph& graph, const Threads& threads, ValueAccesses& valueAccesses);

  /// The places that an instruction sets, for the first time or again.
  std::span<const LocationId> setBy(InstanceId instance, const llvm::Instruction& at) const;
  /// The place that must have been set when the instruction's result is not zero.
  LocationId seenBy(InstanceId instance, const llvm::Instruction& at) const;
  /// The place that must have been set when the instruction returns.
  LocationId awaitedBy(InstanceId instance, const llvm::Instruction& at) const;
  bool concerns(InstanceId instance) const { return concerned_.contains(raw(instance)); }

  /// The places that the thread sets.
  std::span<const LocationId> ofThread(uint32_t thread) const { return byThread_[thread]; }
  /// Whether the place is an ordinary variable: it tells nothing unless a lock protects it.
  bool isPlain(LocationId place) const {
    const Place& what = places_.find(place)->second;
    return what.plain && !what.called;
  }

private:
  struct Place {
    bool plain = false;
    bool atomic = false;
    bool called = false; ///< set and awaited by functions only: a promise's, a semaphore
    bool broken = false; ///< written in a way that is not understood
    std::vector<uint32_t> setters;
  };
  using Key = std::pair<uint32_t, const llvm::Instruction*>;
  struct Write;

  void findSeen(InstanceId instance);
  void findWrites(InstanceId instance);
  void addCandidate(InstanceId instance, const llvm::Instruction& at, bool result);
  void addWrite(const Write& write, LocationId to);
  void addSetter(const Write& write, LocationId place);
  void breakObject(InstanceId instance, const llvm::Value* address);
  bool isZeroAtStart(LocationId place, uint64_t size) const;
  void choose();
  std::vector<LocationId> placesOf(InstanceId instance, const ValueAccess& access,
                                   bool& known) const;
  LocationId onlyPlace(InstanceId instance, const llvm::Value* address, int64_t offset) const;

  const CallGraph& graph_;
  const PointsTo& pointsTo_;
  const Threads& threads_;
  ValueAccesses& valueAccesses_;
  std::map<LocationId, Place> places_;
  llvm::DenseMap<uint32_t, std::vector<LocationId>> byObject_;
  llvm::DenseMap<Key, llvm::SmallVector<LocationId, 1>> set_;
  llvm::DenseMap<Key, LocationId> seen_, awaited_;
  llvm::DenseSet<uint32_t> concerned_;
  std::vector<std::vector<LocationId>> byThread_;
};

} // namespace heddle::analysis
