#pragma once

#include "sites.h"

#include <vector>

namespace heddle::pass {

/// An instruction's sites travel as its metadata, in the form of model/embedded_format.h. Metadata
/// survives cloning and is what the embedded bitcode shows of a site.
void attachSites(const ModuleSites& sites, llvm::LLVMContext& context);

/// The numbers of the instruction's sites, in the order of ModuleSites::sites; mostly none or one.
std::vector<uint32_t> sitesOf(const llvm::Instruction& instruction);

/// Takes the numbers off again, so that the optimizer sees what it would see without heddle.
void detachSites(llvm::Function& function);

} // namespace heddle::pass
