#pragma once

#include "sites.h"
#include "tables.h"

namespace heddle::pass {

struct Versions {
  llvm::Function* plain = nullptr;
  llvm::Function* hooked = nullptr; ///< of a Single function: the function itself, plain is null
};

/// Makes the clones of each function and turns the function itself into the dispatcher that picks
/// one by its byte in the function modes. Plain clones call plain ones directly; hooked ones call
/// hooked ones directly if they are short, and else the dispatcher. So the choice is made where a
/// call tree is entered (through a pointer, a vtable or from another file) and, on the way back to
/// plain clones, before every loop.
/// Parallel to sites.functions.
std::vector<Versions> versionFunctions(const ModuleSites& sites, const SiteArrays& arrays);

} // namespace heddle::pass
