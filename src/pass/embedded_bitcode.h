#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace heddle::pass {

/// Writes the module as it is now into a section of its own; docs/pass.md has the format.
void embedBitcode(llvm::Module& module);

} // namespace heddle::pass
