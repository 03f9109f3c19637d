#pragma once

#include "sites.h"

#include "llvm/IR/PassManager.h"

namespace heddle::pass {

/// Finds the sites of a module: what docs/pass.md calls a site, in the order of the functions and
/// of their instructions. Changes nothing in the module.
ModuleSites collectSites(llvm::Module& module, llvm::FunctionAnalysisManager& analyses);

} // namespace heddle::pass
