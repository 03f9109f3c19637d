#pragma once

#include "tables.h"

namespace heddle::pass {

/// Keeps the shadow stack of call sites in a hooked function: it takes one slot at entry, stores
/// the site of each call in it before the call, and gives it back where it returns or unwinds.
/// A function without calls takes no slot. docs/pass.md says how the runtime reads the stack.
///
/// Coroutines take a slot per call instead: between two resumptions they have no place on any
/// stack. A function that is not versioned may run without the runtime, and then keeps its slot in
/// a local.
void addShadowStack(llvm::Function& function, Treatment treatment, const ModuleSites& sites,
                    const SiteArrays& arrays);

} // namespace heddle::pass
