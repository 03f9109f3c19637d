#pragma once

#include "model/candidate.h"
#include "model/finding.h"
#include "model/summary.h"

#include <cstdint>
#include <string>
#include <vector>

/// What comes out of the search for races: plain data.
namespace heddle::analysis {

/// How findings are told.
struct FindingOptions {
  bool everyPath = false;     ///< findings have all ways to their accesses, not one each
  bool groupByObject = false; ///< by the memory, not by the member or variable
};

/// How far a pair of accesses gets; the last one is a race.
enum class Stage : uint8_t { Reachable, Aliasing, Escaping, Unlocked, Parallel, Join, Slots, Race };
/// The word of JSON `stages` for a stage.
const char* stageName(Stage stage);

/// Why an access is or is not in a race.
struct AccessExplanation {
  heddle::Location location; ///< in the program's own code
  std::string access;
  std::string object;
  std::string alone; ///< why it has no pairs at all; empty: it has
  struct Pair {
    heddle::Location other;
    std::string access;
    Stage stage = Stage::Race; ///< that removed it
    std::string reason;
  };
  std::vector<Pair> pairs; ///< those that got furthest first
};

/// A race that the analysis cannot exclude.
struct StaticRace {
  Finding finding; ///< potential
  /// The pair that is described; after it others that the same two calls of a library make to the
  /// same memory.
  std::vector<Candidate> candidates;
  int score = 0; ///< the higher, the more likely a bug
};

} // namespace heddle::analysis
