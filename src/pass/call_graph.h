#pragma once

#include "sites.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace heddle::pass {

/// The function that a call certainly reaches: a direct call, through aliases too, of a function
/// with the same type. Null for indirect calls; may be a declaration.
llvm::Function* directCallee(const llvm::CallBase& call);

/// The same, but only if no other definition can take its place when the program is linked: then
/// the call may go to a clone.
llvm::Function* ownCallee(const llvm::CallBase& call);

/// Fills FunctionSites::callees.
void connectCallees(ModuleSites& sites);

} // namespace heddle::pass
