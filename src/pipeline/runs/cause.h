#pragma once

#include "pipeline/runs/captured_run.h"

namespace heddle {

/// What failing runs of one cause have in common: the assertion, or else the kind of failure and
/// the place in the source; of a deadlock the places of the threads that wait for each other.
/// Values in a message, threads, and call paths to the place do not count.
std::string causeOf(const CapturedRun& failing);

/// The threads of a deadlock that wait for each other in a circle, by index. Empty: there is none,
/// they wait for something that nobody does any more.
std::vector<unsigned> waitCircle(const std::vector<ThreadDetail>& threads);

} // namespace heddle
