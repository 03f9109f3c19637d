#pragma once

#include "model/access_pair.h"
#include "model/candidate.h"
#include "model/finding.h"
#include "model/result.h"
#include "static/interfaces.h"
#include "static/program.h"

#include <functional>

namespace heddle::analysis {

struct AnalysisOptions {
  unsigned contextDepth = 2;       ///< k: how many receivers or calls tell two contexts apart
  double seconds = 0;              ///< for all of it; 0: no limit
  uint64_t memory = 0;             ///< of the process, in MB; 0: no limit
  InterfaceRequest interface = {}; ///< of an open program; a program without main is always open
  std::string annotations;         ///< a file; empty: none
  std::string explainFile;         ///< the accesses on a line of this file are explained
  unsigned explainLine = 0;
  bool accessPairs = false;            ///< concurrent access pairs too
  bool localSites = false;             ///< sites that only touch their own thread's memory, too
  bool everyPath = false;              ///< findings have all ways to their accesses, not one each
  bool groupByObject = false;          ///< by the memory, not by the member or variable
  std::function<bool()> mustStop = {}; ///< whether somebody wants it to end; asked often
  /// What is being done; called about twice a second.
  std::function<void(const std::string&)> progress = {};
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

/// A race that the analysis can not exclude.
struct StaticRace {
  Finding finding; ///< potential
  /// The pair that is described; behind it others that the same two calls of a library make to the
  /// same memory.
  std::vector<Candidate> candidates;
  int score = 0; ///< the higher, the more likely a bug
};

struct PhaseTime {
  std::string name;
  double seconds = 0;
};

struct AnalysisReport {
  std::vector<StaticRace> races; ///< the most likely first
  std::vector<AccessPair> accessPairs;
  std::vector<AccessExplanation> explanations;
  /// Sorted; see findLocalSites. Empty, too, when there was no time for it.
  std::vector<SiteIdentity> localSites;
  StageCounts stages;
  unsigned contextDepth = 0; ///< the k that was reached
  size_t units = 0, functions = 0, instructions = 0, contexts = 0, threads = 0;
  std::vector<std::string> interface; ///< classes and functions that the harness calls
  std::vector<std::string> unknown;   ///< called functions without code and model
  std::vector<std::string> warnings;
  std::vector<PhaseTime> phases; ///< in their order, over all attempts
  uint64_t peakMemory = 0;       ///< of the process, in bytes
};

/// Finds the pairs of accesses that could race. An open program gets a harness, which is added to
/// its module.
Result<AnalysisReport> analyze(const Program& program, const AnalysisOptions& options);

} // namespace heddle::analysis
