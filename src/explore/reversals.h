#pragma once

#include "branch_builder.h"

namespace heddle::explore {

/// The branches that a run gives rise to. Each class of runs has one way in which it is built,
/// stage by stage (docs/exploration.md), and each stage has one run in which it is found; so it is
/// decided here, with the run alone, whether a reversal belongs to this run.
///
/// After TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly Stateless, Optimal Dynamic
/// Partial Order Reduction, POPL 2022) for reads and writes. Different from there: operations that
/// can block are not revisited but pulled in front of others, the order of writes is left open for
/// reads-from, and several steps may be kept at once where operations commute.
std::vector<Branch> branchesOf(const Execution& execution, Equivalence equivalence);

} // namespace heddle::explore
