#pragma once

#include "model/batch.h"

#include <cstddef>
#include <vector>

namespace heddle {

/// The threads of a deadlock that wait for each other in a circle, by index. Empty: there is none,
/// they wait for something that nobody does any more.
std::vector<unsigned> waitCircle(const std::vector<ThreadDetail>& threads);

} // namespace heddle
