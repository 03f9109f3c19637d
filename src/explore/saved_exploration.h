#pragma once

#include "exploration_report.h"
#include "model/result.h"

namespace heddle::explore {

/// An exploration that can be gone on with: the search, what is known of the program, what was
/// found.
struct SavedExploration {
  std::vector<uint64_t> search; ///< as Search::save gives it
  ProgramKnowledge knowledge;
  ExplorationReport report; ///< runs, searches begun anew, caveats and failures
};

/// Writes the file such that it is whole at any moment, whatever happens. Errors are left to the
/// next attempt: the exploration itself does not need the file.
void saveExploration(const std::string& file, uint64_t key, const SavedExploration& saved);

/// Nothing if there is no such file. Errors: it is of another program, or it cannot be read.
Result<std::optional<SavedExploration>> loadExploration(const std::string& file, uint64_t key);

} // namespace heddle::explore
