#pragma once

#include "../model/batch.h"
#include "../strategy/strategy.h"

#include <stddef.h>
#include <stdint.h>

/// State that survives the rewinding of a run: it lives in a mapping of its own, outside every
/// snapshot and shared with the forked runs. Everything else in the runtime is run state (see
/// fiber.h).
namespace heddle::rt {

struct Snapshot;

struct Persistent {
  BatchHeader* batch = nullptr; ///< null: started without a controller
  Strategy* strategy = nullptr;
  StrategyMemory strategyMemory;
  Snapshot* snapshot = nullptr;
  void* serverStack = nullptr; ///< saved context of the run loop while a run executes
  uintptr_t serverFsBase = 0;
  RunResult result;           ///< of the current run
  uint64_t runStartNanos = 0; ///< real time
  uint64_t behaviourRun = 0;
  bool forkChild = false; ///< this process is one run of the fork server
};

Persistent& persistent();
/// Maps the Persistent struct at its fixed address; first thing at start.
void createPersistent();

} // namespace heddle::rt
