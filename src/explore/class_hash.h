#pragma once

#include "execution.h"

namespace heddle::explore {

/// A name for the class of a run, from its trace alone. Equal for equivalent runs; runs that are
/// not equivalent share it with the probability of a 64-bit hash.
uint64_t classHash(const Execution& execution, Equivalence equivalence);

} // namespace heddle::explore
