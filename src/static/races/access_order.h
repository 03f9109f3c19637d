#pragma once

#include "static/races/access_record.h"
#include "static/races/team_order.h"
#include "static/races/team_slots.h"
#include "static/sync/loop_iterations.h"
#include "static/sync/round_objects.h"

namespace heddle::analysis {

/// Whether two accesses can happen at the same time, by the threads that they are made in: what is
/// alive when, what was joined before, and which elements each thread has for itself.
class AccessOrder {
public:
  explicit AccessOrder(const Analyses& analyses)
      : analyses_(analyses), iterations_(analyses.graph, analyses.threads),
        rounds_(analyses.graph, analyses.threads), teams_(analyses), teamSlots_(analyses, teams_) {}

  bool mayMeet(const AccessRecord& one, const AccessRecord& other) const;
  /// Of two that do not meet: whether they would if nobody waited for threads to end.
  bool isJoined(const AccessRecord& one, const AccessRecord& other) const;
  /// Whether the two threads have memory of their own there: an element, or an object each.
  bool haveOwnMemory(const AccessRecord& one, const AccessRecord& other) const;
  /// Whether the order of single instructions counts in the thread.
  bool isOfTeam(uint32_t thread) const { return teams_.teamOf(thread) != 0; }
  const llvm::Function& rootOf(uint32_t activation) const;

private:
  bool haveOwnSlots(const AccessRecord& one, const AccessRecord& other) const;
  bool areExclusive(const AccessRecord& one, const AccessRecord& other) const;
  bool hasStarted(uint32_t thread, const AccessRecord& before) const;

  const Analyses analyses_;
  LoopIterations iterations_;
  RoundObjects rounds_;
  TeamOrder teams_;
  TeamSlots teamSlots_;
};

} // namespace heddle::analysis
