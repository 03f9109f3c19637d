#pragma once

#include "synth/program/commands.h"
#include "synth/seed_trace.h"

#include <set>
#include <string>
#include <vector>

namespace heddle::synth {

struct SkippedTest {
  std::string name; ///< of a sequential test
  std::string reason;
};

/// The tests of a recording that are no example of how the library is used: they fail, or have
/// threads of their own. `googleTest` is the file of GoogleTest's results, if there is one.
std::vector<SkippedTest> unusableTests(const SeedTrace& trace, const CommandEnd& end,
                                       const std::string& googleTest);

/// Leaves out what the named tests did; how many others there are.
size_t keepTests(SeedTrace& trace, const std::set<std::string>& without);

} // namespace heddle::synth
