#pragma once

#include "control/session.h"
#include "model/run_record.h"

#include <cstdint>
#include <string>

namespace heddle {

/// Runs that ended in each way. Those that look for something are apart from those that judge what
/// was found: that replay, compare, and make schedules shorter.
struct Tally {
  uint64_t runs = 0; ///< that look for something, recordings included
  uint64_t finished = 0;
  uint64_t failed = 0;
  uint64_t cut = 0;
  uint64_t idle = 0;
  uint64_t steps = 0;
  uint64_t outOfTime = 0;  ///< were ended because the time was over; in none of the numbers above
  uint64_t judging = 0;    ///< in none of the numbers above
  uint64_t minimizing = 0; ///< of those, the ones with parts of a schedule
  uint64_t windows = 0;    ///< of the runs, those that are windows of long ones
  std::string cutPlace;    ///< where the first run was that was cut short; may be empty
  RunResult last{};        ///< of the sampled runs, in order of the plan

  void add(const RunResult& result, bool failure);
  /// Notes that a run was cut short by the limit of steps, and where it was.
  void noteCut(const RunRecord& record);
  /// Notes the plan's run that was ended because the time was over, if there was one.
  void noteOutOfTime(const BatchReport& report) { outOfTime += report.killed; }
  /// Runs that came to an end of their own.
  uint64_t ended() const { return finished + failed + idle; }
};

} // namespace heddle
