#pragma once

#include "static/races/analyses.h"
#include "static/sync/loop_iterations.h"

namespace heddle::analysis {

/// One access in its circumstances.
struct AccessRecord {
  uint32_t site; ///< Sites
  uint32_t activation;
  LocationId location;
  LockSetId locks;
  AliveId alive;
  bool fresh;              ///< before its object was published
  bool internal = false;   ///< by a library, to memory that it has made itself
  Owned owned = Owned::No; ///< how its thread came to the object
  bool atomic = false;     ///< the library makes it atomic, by a lock of its own
};

/// Whether two accesses can happen at the same time, by the threads that they are made in: what is
/// alive when, what was joined before, and which elements each thread has for itself.
class AccessOrder {
public:
  explicit AccessOrder(const Analyses& analyses)
      : analyses_(analyses), iterations_(analyses.graph, analyses.threads) {}

  bool mayMeet(const AccessRecord& one, const AccessRecord& other) const;
  /// Of two that do not meet: whether they would if nobody waited for threads to end.
  bool isJoined(const AccessRecord& one, const AccessRecord& other) const;
  bool haveOwnSlots(const AccessRecord& one, const AccessRecord& other) const;
  const llvm::Function& rootOf(uint32_t activation) const;

private:
  bool areExclusive(const AccessRecord& one, const AccessRecord& other) const;
  bool hasStarted(uint32_t thread, const AccessRecord& before) const;

  const Analyses analyses_;
  LoopIterations iterations_;
};

} // namespace heddle::analysis
