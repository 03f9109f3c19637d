#pragma once

#include "model/report.h"
#include "model/result.h"

#include <optional>

namespace heddle {

/// What a command hands to the reporters, and how it ends.
struct CommandResult {
  Report report;
  std::optional<Error> lost; ///< control was lost; the report still has what was found before
};

} // namespace heddle
