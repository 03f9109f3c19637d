#pragma once

#include "model/ids.h"
#include "static/points_to/call_graph.h"
#include "static/program/sites.h"

#include <set>
#include <string>
#include <vector>

namespace heddle::analysis {

/// Sites that only touch memory of the thread that executes them: its stack, blocks that it has
/// allocated and told nobody of, its thread_local variables. Sorted, without atomic operations.
///
/// Races are looked for with assumptions (docs/static.md); here nothing is assumed that is not
/// checked. The points-to sets count as a proposal: where an address is lost, comes from code that
/// was not analysed or goes there, it may be anybody's. `exported`: linkage names that other
/// modules of the program can use. docs/static-local.md has the rules.
std::vector<SiteIdentity> findLocalSites(const llvm::Module& module, const CallGraph& graph,
                                         ProgramConstraints& constraints, Sites& sites,
                                         const std::set<std::string>& exported);

} // namespace heddle::analysis
