#pragma once

#include "model/finding.h"

#include <cstddef>
#include <optional>

namespace heddle {

/// Which of the steps is the switch that matters: the last one at which the schedule took a thread
/// away that could have gone on. A minimised schedule needs every switch that it has, and after
/// the last of them threads only go on, end or wait. Where nobody was interrupted: the last choice
/// among threads. Nothing when the run has no switch of the schedule's own.
std::optional<size_t> decisiveStep(const std::vector<Step>& steps);

} // namespace heddle
