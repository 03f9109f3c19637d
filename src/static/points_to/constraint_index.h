#pragma once

#include "static/points_to/constraints.h"

namespace heddle::analysis {

/// From one variable to another.
using VariableCopies = std::vector<std::pair<Operand, uint32_t>>;

/// Fills in which ops and copies are to be looked at when a variable has new contents.
void indexConstraints(FunctionConstraints& body, VariableCopies copies);

} // namespace heddle::analysis
