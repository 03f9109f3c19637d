#pragma once

#include "model/result.h"
#include "synth/seed_trace.h"

#include <istream>

namespace heddle::synth {

/// Reads a recorded seed trace (docs/synthesis.md has the format). Objects get their complete
/// class where the trace tells it: from the constructor or the allocation.
Result<SeedTrace> readSeedTrace(std::istream& input);

} // namespace heddle::synth
