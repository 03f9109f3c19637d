#pragma once

#include "describe/operations.h"

#include <optional>
#include <vector>

namespace heddle {

/// The accesses that met in a run.
struct MeetingPlaces {
  /// For each side of the meeting the index of its operation; empty: the run ended before it.
  std::vector<std::optional<size_t>> operations;

  /// The last of them that was executed.
  std::optional<size_t> last() const;
  /// Of two sides, the one whose access was executed first. The run may have ended before the other
  /// one's.
  std::optional<unsigned> first() const;
};

/// Where the sides of the record's meeting are; without sides if there was none. `whole`: the
/// operations are all of the run, and not its end alone.
MeetingPlaces findMeeting(const std::vector<Operation>& operations, const RunRecord& record,
                          bool whole);

} // namespace heddle
