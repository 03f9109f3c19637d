#pragma once

#include "model/captured_run.h"
#include "model/result.h"

#include <optional>
#include <vector>

namespace heddle {

/// Looks for what failures follow from: a race, a unit of work that was torn apart.
class CauseFinder {
public:
  virtual ~CauseFinder() = default;
  /// Adds failures that it knows of and that were not judged yet, before the others.
  virtual void collect(std::vector<CapturedRun>&) {}
  /// Takes out of `failures` those that are the harm of something, which becomes a finding. What
  /// broke nothing is judged for at most so many seconds; the rest of it is left for the next call.
  virtual Status explain(std::vector<CapturedRun>& failures, std::optional<double> seconds) = 0;
};

} // namespace heddle
