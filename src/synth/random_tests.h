#pragma once

#include "synth/plan.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace heddle::synth {

struct RandomRequest {
  std::set<std::string> classes; ///< qualified names; empty: all
  size_t count = 0;              ///< of tests, at most
  uint64_t seed = 1;
};

/// The baseline: tests in the manner of ConTeGe (Pradel and Gross, PLDI 2012). One object of a
/// class, up to two calls of any of its methods that bring it into some state, and two calls of
/// any of its methods in two threads. Which ones is chance; nothing else is shared, and nothing of
/// what the library did in the sequential tests is looked at. The same request gives the same
/// tests.
std::vector<Plan> randomTests(const SeedTrace& trace, const std::vector<CallSummary>& calls,
                              const RandomRequest& request);

} // namespace heddle::synth
