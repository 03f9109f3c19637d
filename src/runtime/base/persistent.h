#pragma once

#include "model/batch.h"
#include "runtime/base/arena.h"
#include "strategy/strategy.h"

#include <stddef.h>
#include <stdint.h>

/// State that survives the rewinding of a run: it lives in a mapping of its own, outside every
/// snapshot and shared with the forked runs. Everything else in the runtime is run state (see
/// fiber.h).
namespace heddle::rt {

struct Snapshot;

inline constexpr uint32_t kLeftBehaviours = 128;

/// Code in which threads wait, see unseen_spin.cpp.
struct KnownLoop {
  uint64_t low;
  uint64_t high;
};
inline constexpr uint32_t kKnownLoops = 16;

struct Persistent {
  BatchHeader* batch = nullptr; ///< null: started without a controller
  Strategy* strategy = nullptr;
  Snapshot* snapshot = nullptr;
  /// Where the heap ended at the snapshot: pages above it are put back by giving them to the
  /// kernel. 0: there is none.
  uintptr_t snapshotHeapEnd = 0;
  void* serverStack = nullptr; ///< saved context of the run loop while a run executes
  uintptr_t serverFsBase = 0;
  RunResult result;                    ///< of the current run
  const char* notRestorable = nullptr; ///< what the run did first that memory cannot undo
  uint64_t runStartNanos = 0;          ///< real time
  uint64_t behaviourRun = 0;
  bool forkChild = false;                    ///< this process is one run of the fork server
  bool passLeft = false;                     ///< a window has ended the batch; see windows.h
  uint64_t batchStartNanos = 0;              ///< real time
  uint64_t behaviours[kLeftBehaviours] = {}; ///< of the forked run
  KnownLoop knownLoops[kKnownLoops] = {};
  uint32_t knownLoopCount = 0; ///< ever found
  StrategyMemory strategyMemory;
};

Persistent& persistent();
/// Behind it a zeroed table, which behaviour.cpp uses.
inline constexpr uintptr_t kSharedTableBase = kPersistentBase + (64 << 10);
inline constexpr size_t kSharedTableBytes = 512 << 10;
static_assert(sizeof(Persistent) <= kSharedTableBase - kPersistentBase);
static_assert(kSharedTableBase + kSharedTableBytes <= kRunArenaBase);

/// Maps both at their fixed address; first thing at start.
void createPersistent();

} // namespace heddle::rt
