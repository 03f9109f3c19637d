#pragma once

#include "synth/plan.h"
#include "synth/planned_heap.h"
#include "synth/racing_pairs.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace heddle::synth {

/// What a library promises to those who call it from several threads.
enum class Contract : uint8_t {
  ThreadSafe, ///< any calls at the same time
  Basic,      ///< as the standard library: const calls on one object, anything on distinct ones
  AsItLooks,  ///< ThreadSafe for objects of classes with a mutex or an atomic member, else Basic
};

/// What a test is for.
enum class Aim : uint8_t {
  Race,    ///< its pairs
  Outcome, ///< nothing races in it; a call of it takes several steps
  Random,  ///< whatever chance brings: the baseline
};

struct SynthesisOptions {
  Contract contract = Contract::ThreadSafe;
  std::set<std::string> classes; ///< qualified names; empty: all
  bool outcomes = false;         ///< also tests that only the oracle can judge
  bool random = false;           ///< as many tests as there would be, but by chance
};

/// One context with all pairs that it lets happen.
struct SynthesizedTest {
  Plan plan;
  std::vector<RacingPair> pairs;
  std::string text; ///< the plan as one line
  Aim aim = Aim::Race;
};

/// What there is of one class: pairs count for the class of their first call.
struct ClassSynthesis {
  size_t methods = 0; ///< that the sequential tests call
  size_t pairs = 0;
  size_t tests = 0;
  double seconds = 0; ///< to derive and judge contexts
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
  std::map<std::string, ClassSynthesis> classes;
};

/// Whether it has, by value, a lock or an atomic member, or leads to a lock.
bool looksThreadSafe(const TypeTable& types, TypeId type);

/// From a trace to tests. The same trace gives the same tests.
Synthesis synthesize(const SeedTrace& trace, const SynthesisOptions& options);

} // namespace heddle::synth
