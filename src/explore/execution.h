#pragma once

#include "branch.h"
#include "few.h"
#include "sync_state.h"

#include <optional>

namespace heddle::explore {

/// A set of steps that has, with each step, all that came before it in its thread: how many of
/// each thread.
using Steps = Few<uint32_t, 20>;

void join(Steps& steps, const Steps& others);
Steps united(const Steps& a, const Steps& b);
bool isSubset(const Steps& steps, const Steps& of);

using EventId = int32_t;
inline constexpr EventId kInitial = -1;

/// One operation on one cell. Cells are the largest pieces of memory that each operation of a run
/// touches as a whole or not at all, and one for each block of the heap: whether it lives.
struct DataAccess {
  uint32_t cell = 0;
  bool reads = false;
  bool writes = false;
  bool mayWrite = false;     ///< would if a compare-exchange succeeds
  EventId source = kInitial; ///< of what reads: the write
};

/// A step with its past: all steps that it needs to be what it is. These are the earlier ones of
/// its thread, the writes it reads from, and the conflicting operations on the same objects of
/// synchronization, with their pasts. (The order of plain conflicting accesses is not in it.)
struct Event {
  Operation operation;
  StepName name;
  uint32_t stage = 0;
  Steps past;       ///< with the step itself
  Steps threadPast; ///< what it needs before it touches anything
  Few<DataAccess, 2> data;
  SyncAccesses sync;
};

inline bool contains(const Steps& steps, const StepName& name) {
  return name.index < steps[name.thread];
}

/// Whether the operations touch a common object such that their order counts. Data against data
/// is not asked for here; a failure is in conflict with everything.
bool inConflict(const Event& a, const Event& b);

/// A stage of the run: what was there before it, and which event it is about.
struct ExecutionStage {
  Stage stage;
  Steps before;
  EventId main = 0;
};

/// An executed run of a branch as a partial order: who reads from whom, who needs whom.
class Execution {
public:
  Execution(const Run& run, const Branch& branch);

  /// Whether the run did what the branch promised. If not, the branch is abandoned.
  bool keptPromises() const { return keptPromises_; }

  const std::vector<Event>& events() const { return events_; } ///< in order of execution
  const std::vector<Event>& pending() const { return pending_; }
  const std::vector<ExecutionStage>& stages() const { return stages_; }
  const Event& event(EventId id) const { return events_[static_cast<size_t>(id)]; }
  EventId find(StepName name) const { return byThread_[name.thread][name.index]; }
  /// Those that write the cell, in order of execution.
  const std::vector<EventId>& writers(uint32_t cell) const { return writers_[cell]; }
  size_t cells() const { return writers_.size(); }
  uint64_t cellName(uint32_t cell) const { return cellNames_[cell]; }
  /// The steps of all events.
  const Steps& all() const { return all_; }
  size_t threads() const { return all_.size(); }
  /// Stages that the branch had; all later ones are single steps by default.
  size_t inherited() const { return inherited_; }
  bool failed() const { return failed_; }

  SyncState stateAfter(const Steps& steps) const;
  /// What the event reads from, in order of name.
  std::vector<StepName> sourcesOf(const Event& event) const;

private:
  void nameCells(const Run& run);
  void addEvent(const Operation& operation, uint32_t stage, SyncState& state);
  void addPending(const Operation& operation, const SyncState& state);
  Event begin(const Operation& operation) const;
  Few<DataAccess, 2> dataOf(const Operation& operation) const;
  void joinConflicts(Event& event) const;
  void readSources(Event& event);
  void addStages(const Branch& branch);
  bool keeps(const Branch& branch) const;

  std::vector<Event> events_;
  std::vector<Event> pending_;
  std::vector<ExecutionStage> stages_;
  std::vector<std::vector<EventId>> byThread_;
  std::vector<std::vector<EventId>> writers_;
  std::vector<uint64_t> cellNames_;
  std::vector<uint64_t> bounds_; ///< of the cells of memory
  std::vector<uint64_t> blocks_;
  std::vector<EventId> spawnedBy_;
  std::map<uint64_t, std::vector<EventId>> users_; ///< of objects of synchronization
  Steps all_;
  size_t inherited_ = 0;
  bool keptPromises_ = true;
  bool failed_ = false;
};

} // namespace heddle::explore
