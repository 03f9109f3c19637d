#pragma once

#include "static/races/team_order.h"
#include "static/races/thread_sums.h"

namespace heddle::analysis {

/// Elements that each thread of a team has for itself: those of its share of a loop's iterations,
/// or of its number in the team.
class TeamSlots {
public:
  TeamSlots(const Analyses& analyses, const TeamOrder& teams)
      : analyses_(analyses), teams_(teams), sums_(analyses.module.getDataLayout()) {}

  bool areOwn(const AccessRecord& one, const AccessRecord& other) const;

private:
  bool sharesLoops(uint32_t thread) const;
  std::optional<Sum> addressOf(const AccessRecord& record) const;

  const Analyses analyses_;
  const TeamOrder& teams_;
  mutable ThreadSums sums_;
};

} // namespace heddle::analysis
