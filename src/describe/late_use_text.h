#pragma once

#include "describe/object_names.h"
#include "model/recorded_run.h"

#include <string>

namespace heddle {

/// The use of freed memory that may show late, in one sentence; empty: there is none.
std::string lateUseText(const RecordedRun& run, const ObjectNames& objects);

} // namespace heddle
