#include "pull_order.h"

#include <algorithm>

namespace heddle::explore {

namespace {

/// Whether `first`, which is minimal among the events that are in conflict with a waiting
/// operation, is the one that is pulled: that of the smallest thread.
StepName pulledFirst(const std::vector<const Event*>& blockers) {
  StepName result{0xffffffff, 0xffffffff};
  for (const Event* blocker : blockers) {
    bool isMinimal = std::none_of(blockers.begin(), blockers.end(), [&](const Event* other) {
      return other != blocker && contains(blocker->past, other->name);
    });
    if (isMinimal)
      result = std::min(result, blocker->name);
  }
  return result;
}

const Event* pendingOf(const Execution& execution, StepName name) {
  for (const Event& event : execution.pending())
    if (event.name == name)
      return &event;
  return nullptr;
}

} // namespace

bool pullsFirst(const Execution& execution, const ExecutionStage& stage, const Steps& steps,
                const Event* more) {
  StepName turn{stage.stage.turn, stage.before[stage.stage.turn]};
  bool wasTaken = contains(execution.all(), turn);
  const Event* waiting =
      wasTaken ? &execution.event(execution.find(turn)) : pendingOf(execution, turn);
  if (waiting == nullptr || isData(waiting->operation.kind))
    return true;
  Event there = *waiting;
  there.sync = execution.stateAfter(stage.before).accesses(waiting->operation);
  std::vector<const Event*> blockers;
  bool isIn = contains(steps, turn);
  for (const Event& event : execution.events()) {
    bool isCandidate = contains(steps, event.name) && !contains(stage.before, event.name) &&
                       event.name != turn && !(isIn && contains(event.past, turn));
    if (isCandidate && inConflict(there, event))
      blockers.push_back(&event);
  }
  if (more != nullptr && inConflict(there, *more))
    blockers.push_back(more);
  return pulledFirst(blockers) == stage.stage.main;
}

bool isCanonical(const Execution& execution) {
  return std::all_of(
      execution.stages().begin(), execution.stages().end(), [&](const ExecutionStage& stage) {
        return !stage.stage.isPull || pullsFirst(execution, stage, execution.all(), nullptr);
      });
}

} // namespace heddle::explore
