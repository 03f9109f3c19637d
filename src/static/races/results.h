#pragma once

#include "model/candidate.h"
#include "model/finding.h"

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

/// Pairs of accesses that each stage of the analysis leaves, in this order.
struct StageCounts {
  uint64_t original = 0;  ///< to the same member or variable, one of them a write
  uint64_t reachable = 0; ///< both run in some thread, on objects that others may know
  uint64_t aliasing = 0;  ///< they may be to the same memory
  uint64_t escaping = 0;  ///< which more than one thread can reach
  uint64_t unlocked = 0;  ///< and no common lock is held
  uint64_t parallel = 0;  ///< and neither is over before the other's thread is started
  uint64_t join = 0;      ///< or that thread joined
  uint64_t slots = 0;     ///< and the elements are not each thread's own: these are the races
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
