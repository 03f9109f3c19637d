#pragma once

#include "branch_builder.h"

namespace heddle::explore {

/// Two steps of a run that are to come in the other order.
struct Reversal {
  size_t i; ///< the stage of the earlier one
  size_t n; ///< the last stage so far
  const Event* earlier;
  const Event* later;
  bool isPending; ///< the later one never came
  bool needsNew;  ///< something of the n-th stage must go with it
};

/// Each class of runs is found from one run only: whether a reversal belongs to this one.
class ReversalGuide {
public:
  ReversalGuide(const Execution& execution, Equivalence equivalence, const BranchBuilder& builder)
      : execution_(execution), equivalence_(equivalence), builder_(builder) {}

  /// Whether all stages from the reversed one on are those of the one run in which this reversal is
  /// to be found: what goes with it, and else what threads do when nothing is asked for.
  bool belongsHere(const Reversal& reversal, const Steps& kept) const;

  /// Whether the same operation was made to wait before, and this one should have been pulled then.
  bool comesTooLate(size_t i, StepName turn, const Steps& steps, const Event& pulled) const;

private:
  const ExecutionStage& stage(size_t n) const { return execution_.stages()[n]; }
  const Event& mainOf(size_t n) const { return execution_.event(stage(n).main); }
  bool isDefault(const ExecutionStage& at, const Event& main, const Steps& kept) const;
  bool hasConflict(const ExecutionStage& at, const Event& main, const Steps& kept) const;
  /// Reads-from: whether the event reads what the steps end with. Where no cell has several writers
  /// among them the order of the steps does not matter, and is not asked for: it takes long.
  bool readsLast(const Event& main, const Steps& before, const Steps& kept) const;
  /// Value schedules: whether the event comes after all writes among the steps.
  bool comesLast(const Event& main, const Steps& steps) const;

  const Execution& execution_;
  Equivalence equivalence_;
  const BranchBuilder& builder_;
};

} // namespace heddle::explore
