#pragma once

#include "model/access_pair.h"
#include "model/result.h"
#include "static/budget/limits.h"
#include "static/program/interfaces.h"
#include "static/program/program.h"
#include "static/races/results.h"

namespace heddle::analysis {

struct AnalysisOptions : Limits, FindingOptions {
  unsigned contextDepth = 2;       ///< k: how many receivers or calls tell two contexts apart
  InterfaceRequest interface = {}; ///< of an open program; a program without main is always open
  std::string annotations;         ///< a file; empty: none
  std::string explainFile;         ///< the accesses on a line of this file are explained
  unsigned explainLine = 0;
  bool accessPairs = false; ///< concurrent access pairs too
  bool localSites = false;  ///< sites that only touch their own thread's memory, too
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
