#pragma once

#include "sites.h"

namespace llvm {
class Module;
}

namespace heddle::pass {

/// Gives every site its identity and ordinal.
///
/// The identity is a hash of the function's linkage name (with the translation unit's file for an
/// internal function that no inline function calls), the site's index in the function, its kind,
/// and the kinds and sizes of all sites of the function: what a later edit of other lines, another
/// -O level or another translation unit with the same inline function leaves as it is. Names and
/// lines are not in it.
void assignIdentities(ModuleSites& sites, const llvm::Module& module);

} // namespace heddle::pass
