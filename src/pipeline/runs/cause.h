#pragma once

#include "describe/wait_circle.h"
#include "pipeline/runs/captured_run.h"

namespace heddle {

/// What failing runs of one cause have in common: the assertion, or else the kind of failure and
/// the place in the source; of a deadlock the places of the threads that wait for each other.
/// Values in a message, threads, and call paths to the place do not count.
std::string causeOf(const CapturedRun& failing);

} // namespace heddle
