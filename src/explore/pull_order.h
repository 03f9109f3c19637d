#pragma once

#include "execution.h"

namespace heddle::explore {

/// Whether a stage that pulls an event in front of a waiting operation pulls the right one, given
/// that the events of `steps`, and one `more` if there is one, come about.
bool pullsFirst(const Execution& execution, const ExecutionStage& stage, const Steps& steps,
                const Event* more);

/// Whether the run was built in the way of its class. Another one was, if not, and this one is a
/// second run of the same class.
bool isCanonical(const Execution& execution);

} // namespace heddle::explore
