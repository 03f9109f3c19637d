#pragma once

#include "static/points_to/constraint_context.h"

#include <memory>

namespace heddle::analysis {

/// What a function does with pointers.
std::unique_ptr<FunctionConstraints> makeConstraints(const llvm::Function& function,
                                                     ConstraintContext& context);

} // namespace heddle::analysis
