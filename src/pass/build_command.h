#pragma once

namespace llvm {
class Module;
}

namespace heddle::pass {

/// Keeps the command line that the unit is compiled with in the object, where the driver told it
/// (model/build_record.h). Costs the bytes of the words and nothing at run time.
void embedBuildCommand(llvm::Module& module);

} // namespace heddle::pass
