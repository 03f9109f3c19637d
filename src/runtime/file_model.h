#pragma once

#include "descriptor_table.h"

/// What a run does that rewinding memory can not undo. Descriptors and anonymous mappings that the
/// run has made are taken back by the runtime; everything else makes the run not restorable, and
/// the next run starts from a fork or a fresh process.
namespace heddle::rt {

/// The run has done `what` (a word for messages); the first one counts.
void noteNotRestorable(const char* what);
/// The first of them in this run, or null.
const char* notRestorableReason();

/// Mappings of the run, see mapping_model.cpp.
void unmapRunMappings();

/// Both of the above, for the run loop: before a snapshot is taken, and at the end of a run
/// before memory is rewound.
void keepKernelState();
void undoKernelState();

} // namespace heddle::rt
