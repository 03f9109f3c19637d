#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace heddle::pass {

/// Leaves the names of all functions that this module defines in the section kSeenSection, whether
/// they have sites or not: code of a program whose name stands nowhere there was compiled without
/// the pass. The name of an inline function is dropped with it where the linker prefers the copy
/// of another object. See site_table.h.
///
/// For the end of the pipeline: a name keeps its function, and most inline functions are in all
/// their callers by then and need no code of their own.
void recordSeenFunctions(llvm::Module& module);

} // namespace heddle::pass
