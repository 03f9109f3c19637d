#pragma once

#include "llvm/IR/Function.h"

#include <cstdint>

namespace heddle::analysis {

/// Whether the function is a constructor or a destructor. They set the vtable pointers of their own
/// class last (first), after (before) those of their base classes.
bool isStructor(const llvm::Function& function);

/// Whether the function is a non-static member, and which parameter `this` is.
bool findReceiver(const llvm::Function& function, uint32_t& receiver);

} // namespace heddle::analysis
