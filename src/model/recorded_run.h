#pragma once

#include "model/event.h"
#include "model/run_record.h"

#include <cstdint>
#include <deque>

namespace heddle {

/// The end of a recorded run: events and what resolves them.
struct RecordedRun {
  RunRecord record;
  std::deque<Event> events; ///< the last ones of the run
  uint64_t totalEvents = 0;
};

} // namespace heddle
