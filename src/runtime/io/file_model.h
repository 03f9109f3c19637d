#pragma once

/// Files that the program opens. Descriptors and anonymous mappings that the run has made are taken
/// back by the runtime at its end; base/restorable.h has what cannot be.
namespace heddle::rt {

/// For the run loop: before a snapshot is taken, and at the end of a run
/// before memory is rewound.
void keepKernelState();
void undoKernelState();

} // namespace heddle::rt
