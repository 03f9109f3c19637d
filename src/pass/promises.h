#pragma once

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace heddle::pass {

/// Takes off what a function promised about itself (that it reads no memory, always returns, ...)
/// before it called hooks, in which other threads may run.
void dropPromises(llvm::Function& function);
void dropPromises(llvm::CallBase& call);

} // namespace heddle::pass
