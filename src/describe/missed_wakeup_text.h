#pragma once

#include "describe/object_names.h"
#include "model/finding.h"

namespace heddle {

/// Says of a deadlock that it is a missed wake-up, if it is one: which notification came too early
/// or woke the wrong thread, which wait came too late, and what was read in between.
void tellMissedWakeup(Finding& deadlock, const RecordedRun& run, const ObjectNames& objects);

} // namespace heddle
