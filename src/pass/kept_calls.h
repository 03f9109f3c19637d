#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace heddle::pass {

/// Keeps the calls of realloc that the optimizer would leave out: it makes free(p) of
/// free(realloc(p, n)), and with that the old block lives until the end. What the source frees
/// there is then never seen, and neither is who still uses it.
void keepReallocations(llvm::Module& module);

} // namespace heddle::pass
