#pragma once

#include "static/ir/value_accesses.h"
#include "static/points_to/call_graph.h"

namespace heddle::analysis {

/// Locks that are made of an atomic: taken by whoever changes it from zero, given back by setting
/// it to zero. An atomic is one when nothing else is ever written to it, with the orders that a
/// lock needs.
class SpinLocks {
public:
  SpinLocks(const CallGraph& graph, ValueAccesses& valueAccesses);

  struct Use {
    const llvm::Value* base = nullptr; ///< null: no lock is used
    int64_t offset = 0;
    bool taking = false;
    bool whenZero = false; ///< taken when the instruction's result is zero, else when it is not
  };
  Use at(InstanceId instance, const llvm::Instruction& instruction) const;
  bool concerns(InstanceId instance) const { return concerned_.contains(raw(instance)); }

private:
  using Key = std::pair<uint32_t, const llvm::Instruction*>;

  void find(InstanceId instance);
  void breakAt(InstanceId instance, const ValueAccess& access);
  bool isWhole(InstanceId instance, const Use& use) const;

  const PointsTo& pointsTo_;
  ValueAccesses& valueAccesses_;
  llvm::DenseMap<Key, Use> uses_;
  llvm::DenseMap<uint32_t, llvm::SmallVector<Location, 2>> broken_; ///< by object
  llvm::DenseSet<uint32_t> concerned_;
};

} // namespace heddle::analysis
