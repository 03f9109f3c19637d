#pragma once

#include "model/batch.h"

/// Running without a controller: the default schedule, or one chosen by HEDDLE_SELFTEST, which is
/// how the runtime's own tests drive it: "STRATEGY:SEED[:all]".
namespace heddle::rt {

bool isSelftest(char** envp);
Plan selftestPlan(char** envp);

} // namespace heddle::rt
