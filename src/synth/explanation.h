#pragma once

#include "synth/synthesis.h"
#include "synth/test_body.h"

#include <string>
#include <vector>

namespace heddle::synth {

/// Why a test is there, in sentences: which members are accessed by which methods, why nothing
/// protects them, and what the set-up does.
std::vector<std::string> explain(const SeedTrace& trace, const std::vector<CallSummary>& calls,
                                 const SynthesizedTest& test, const TestBody& body);

} // namespace heddle::synth
