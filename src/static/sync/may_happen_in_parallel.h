#pragma once

#include "static/sync/threads.h"

#include "llvm/ADT/BitVector.h"

namespace heddle::analysis {

/// Which threads are alive while others run: fork and join are understood; what other
/// synchronization orders is not. docs/static-threads.md has the rules.
class MayHappenInParallel {
public:
  MayHappenInParallel(const CallGraph& graph, const Threads& threads);
  ~MayHappenInParallel();

  /// Whether all that functions start and join was found out: see SummarySolver.
  bool isSettled() const;

  /// The threads that may be alive before an instruction, of those that the running thread started,
  /// when `entering` were alive at the start of the instance.
  llvm::BitVector aliveAt(InstanceId instance, const llvm::BitVector& entering,
                          const llvm::Instruction& at) const;
  /// Whether aliveAt is the same everywhere in the instance.
  bool isConstant(InstanceId instance) const;

  /// Whether threads that the instance starts may be alive when it returns.
  bool outlives(uint32_t thread, InstanceId instance) const;

  /// Whether a thread may have been started in the instance, or below it, when it gets to an
  /// instruction: where it is not alive then, somebody has joined it.
  bool mayHaveStarted(uint32_t thread, InstanceId instance, const llvm::Instruction& at) const;

  /// Tells that the threads of a call begin while `alive` are.
  void start(InstanceId creator, uint32_t call, const llvm::BitVector& alive);
  /// Whether a thread of kind `one` can be alive together with one of kind `other`, neither of
  /// which has started the other. Asked when all have been started.
  bool mayMeet(uint32_t one, uint32_t other) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace heddle::analysis
