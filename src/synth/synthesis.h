#pragma once

#include "synth/plan.h"
#include "synth/planned_heap.h"
#include "synth/racing_pairs.h"

#include <set>
#include <string>
#include <vector>

namespace heddle::synth {

/// What a library promises to those who call it from several threads.
enum class Contract : uint8_t {
  ThreadSafe, ///< any calls at the same time
  Basic,      ///< as the standard library: const calls on one object, anything on distinct ones
};

struct SynthesisOptions {
  Contract contract = Contract::ThreadSafe;
  std::set<std::string> classes; ///< qualified names; empty: all
};

/// One context with all pairs that it lets happen.
struct SynthesizedTest {
  Plan plan;
  std::vector<RacingPair> pairs;
  std::string text; ///< the plan as one line
};

struct SkippedPair {
  RacingPair pair;
  std::string reason;
};

struct Synthesis {
  std::vector<CallSummary> calls;
  std::vector<RacingPair> pairs;
  std::vector<SynthesizedTest> tests;
  std::vector<SkippedPair> skipped;
  std::vector<std::string> methods;         ///< signatures that the tests call, sorted
  std::vector<std::string> uncalledMethods; ///< of the same classes that none calls, sorted
};

/// From a trace to tests. The same trace gives the same tests.
Synthesis synthesize(const SeedTrace& trace, const SynthesisOptions& options);

} // namespace heddle::synth
