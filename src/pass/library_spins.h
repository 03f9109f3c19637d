#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace heddle::pass {

/// Makes the C++ library look once before it waits: libstdc++ reads an atomic 16 times before
/// std::atomic::wait, latches, barriers and semaphores call the kernel. Each look is a step of the
/// program that others may come before, and all but the first see nothing that the wait does not.
void shortenLibrarySpins(llvm::Module& module);

} // namespace heddle::pass
