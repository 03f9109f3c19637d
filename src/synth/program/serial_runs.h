#pragma once

#include "synth/program/test_generation.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace heddle::synth {

/// What the serial orders of the tests' calls gave.
struct SerialRuns {
  std::map<std::string, std::vector<Outcome>> legal; ///< by the test's line; asserted by it
  std::map<std::string, std::string> dropped;        ///< tests that fail serially, with why
  std::map<std::string, std::string> undecided;      ///< no outcome can be asserted, with why
  std::set<std::string> canBlock;                    ///< a serial order never ends
};

/// Compiles the calls of every test as a program without threads, with AddressSanitizer, and runs
/// each order of them twice. `folder` is for what is compiled.
SerialRuns runSerially(const GenerationRequest& request, const Tools& tools,
                       const GeneratedTests& tests, const std::string& folder);

} // namespace heddle::synth
