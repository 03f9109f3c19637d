#pragma once

#include "describe/operations.h"

#include <optional>
#include <vector>

namespace heddle {

/// A block that the failing thread used last before it was freed; indices of operations.
struct FreedBlock {
  size_t use = 0;
  size_t free = 0;
};

/// The block whose use after its free may show late: code without hooks has read a pointer from it,
/// and the program crashed of that. Empty: it is no such failure, or nothing was freed like this.
std::optional<FreedBlock> findFreedBlock(const std::vector<Operation>& operations,
                                         const RunRecord& record);

} // namespace heddle
