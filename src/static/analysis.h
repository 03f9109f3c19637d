#pragma once

#include "model/candidate.h"
#include "model/finding.h"
#include "model/result.h"
#include "static/interfaces.h"
#include "static/program.h"

#include <functional>

namespace heddle::analysis {

struct AnalysisOptions {
  unsigned contextDepth = 2;       ///< k: how many receivers or calls tell two contexts apart
  double seconds = 0;              ///< for the points-to analysis of one depth; 0: no limit
  InterfaceRequest interface = {}; ///< of an open program; a program without main is always open
  /// What is being done; called now and then.
  std::function<void(const std::string&)> progress = {};
};

/// Pairs of accesses that each stage of the analysis leaves, in this order.
struct StageCounts {
  uint64_t original = 0;  ///< to the same member or variable, one of them a write
  uint64_t reachable = 0; ///< both run in some thread, on objects that others may know
  uint64_t aliasing = 0;  ///< they may be to the same memory
  uint64_t escaping = 0;  ///< which more than one thread can reach
  uint64_t unlocked = 0;  ///< and no common lock is held
  uint64_t parallel = 0;  ///< and both can run at the same time
};

/// A race that the analysis can not exclude.
struct StaticRace {
  Finding finding; ///< potential
  Candidate candidate;
};

struct AnalysisReport {
  std::vector<StaticRace> races; ///< the most likely first
  StageCounts stages;
  unsigned contextDepth = 0; ///< the k that was reached
  size_t units = 0, functions = 0, instructions = 0, contexts = 0, threads = 0;
  std::vector<std::string> interface; ///< classes and functions that the harness calls
  std::vector<std::string> unknown;   ///< called functions without code and model
  std::vector<std::string> warnings;
  /// Identities of accesses that only touch memory which one thread can reach, sorted.
  std::vector<uint64_t> localSites;
};

/// Finds the pairs of accesses that could race. An open program gets a harness, which is added to
/// its module.
Result<AnalysisReport> analyze(const Program& program, const AnalysisOptions& options);

} // namespace heddle::analysis
