#pragma once

#include "model/run_record.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// A run that was kept, with all that a replay of it needs: one that failed, or one in which
/// something was triggered that is worth a report.
struct CapturedRun {
  RunRecord record;
  Schedule schedule;
  std::vector<uint64_t> sites; ///< the set that the schedule's pointsName names
  StrategyKind strategy = StrategyKind::Random;
  uint64_t index = 0; ///< in the order of the plan, from 1
  std::string test;   ///< of the program; see Program::test
};

} // namespace heddle
