#pragma once

#include <stdint.h>

namespace heddle::rt {

/// A sum over everything that the program can write, except the runtime's own data: equal sums
/// mean that nothing has changed. Of the stacks only those are in it whose threads were not shown
/// to repeat themselves since `proofFrom`: the others are compared where they repeat. 0: there is
/// too much of it to tell.
uint64_t memorySum(uint64_t proofFrom);

} // namespace heddle::rt
