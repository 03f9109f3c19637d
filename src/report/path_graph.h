#pragma once

#include "model/finding.h"

#include <string>

namespace heddle {

/// The ways from the threads' first functions to both accesses of a static race, as a graph for
/// Graphviz: functions are boxes, calls are arrows with their lines, the accesses stand at the
/// bottom.
std::string pathGraph(const Finding& finding);

} // namespace heddle
