#pragma once

#include "static/program/sites.h"
#include "static/sharing/freshness.h"
#include "static/sharing/ownership.h"
#include "static/sync/locks.h"
#include "static/sync/may_happen_in_parallel.h"

#include <map>
#include <unordered_map>

namespace heddle::analysis {

enum class LockSetId : uint32_t { Empty = 0 };
enum class AliveId : uint32_t { Nobody = 0 };

/// Circumstances in which a thread runs an instance: what it holds, who else is alive, and from
/// which place of the program's own code a library's function was called.
struct Activation {
  InstanceId instance;
  uint32_t thread;
  LockSetId locks; ///< at its start
  AliveId alive;
  FreshParameters fresh = {};
  const llvm::CallBase* userCall = nullptr;
  uint32_t parent = 0;                  ///< one that calls it; itself for a thread's first
  const llvm::CallBase* call = nullptr; ///< by this
};

/// Everything that threads run, from their entries down. Locks and living threads are kept apart by
/// the way that led there, up to a number of ways: code that runs before the threads start and
/// under a lock later is not taken for unlocked.
class Activations {
public:
  Activations(const CallGraph& graph, const Threads& threads, Locks& locks,
              MayHappenInParallel& parallel, const Freshness& freshness,
              const Ownership& ownership);

  std::span<const Activation> all() const { return activations_; }
  /// Who calls an activation besides its parent, and where.
  struct Caller {
    uint32_t activation;
    const llvm::CallBase* call;
    bool operator==(const Caller&) const = default;
  };
  std::span<const Caller> otherCallers(uint32_t activation) const {
    auto found = otherCallers_.find(activation);
    return found == otherCallers_.end() ? std::span<const Caller>() : std::span(found->second);
  }
  const LockSet& lockSet(LockSetId id) const { return lockSets_[static_cast<uint32_t>(id)]; }
  const llvm::BitVector& alive(AliveId id) const { return aliveSets_[static_cast<uint32_t>(id)]; }
  LockSetId idOf(const LockSet& locks);
  AliveId idOf(const llvm::BitVector& alive);

private:
  using Key =
      std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, FreshParameters, const llvm::CallBase*>;

  /// A call as an instance makes it in given circumstances: what all activations that hold the
  /// same locks and have the same fresh parameters share.
  struct CallStep {
    CallEdge edge;
    LockSetId locks; ///< in the callee
    FreshParameters fresh;
  };
  using StepKey = std::tuple<uint32_t, uint32_t, FreshParameters>;
  struct KeyHash {
    size_t operator()(const Key& key) const;
    size_t operator()(const StepKey& key) const;
  };

  const std::vector<CallStep>& stepsOf(const Activation& activation);
  void runAll();
  void runAtExit();
  llvm::BitVector aliveAtExit() const;
  void enter(const Activation& activation);
  void share(const Activation& activation, uint32_t& count);
  void noteCaller(uint32_t known, const Activation& again);
  void run(uint32_t index);

  const CallGraph& graph_;
  const Threads& threads_;
  Locks& locks_;
  MayHappenInParallel& parallel_;
  const Freshness& freshness_;
  const Ownership& ownership_;
  std::vector<Activation> activations_;
  std::vector<uint32_t> queue_;
  std::vector<Activation> atExit_; ///< what was registered to run when the program ends
  std::unordered_map<Key, uint32_t, KeyHash> known_;
  std::unordered_map<StepKey, std::vector<CallStep>, KeyHash> steps_;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> counts_;       ///< by instance and thread
  std::map<std::tuple<uint32_t, uint32_t, LockSetId>, uint32_t> shared_; ///< with locks, or any
  llvm::DenseMap<uint32_t, std::vector<Caller>> otherCallers_; ///< for reports, a few of each
  std::vector<LockSet> lockSets_;
  std::vector<llvm::BitVector> aliveSets_;
  std::map<std::vector<uint64_t>, LockSetId> lockSetIds_;
  llvm::DenseMap<llvm::BitVector, AliveId> aliveIds_;
};

} // namespace heddle::analysis
