#pragma once

/// What a run does that rewinding memory cannot undo. Descriptors and anonymous mappings that the
/// run has made are taken back by the runtime; everything else makes the run not restorable, and
/// the next run starts from a fork or a fresh process.
namespace heddle::rt {

/// The run has done `what`, the name of a function or what was done; the first one counts. Files,
/// other processes or descriptors have changed: a copy of the process would change them for all.
void noteNotRestorable(const char* what);
/// The same for what has changed in this process alone, as its mappings, limits and libraries: it
/// ends with a copy of the process.
void noteProcessChange(const char* what);

} // namespace heddle::rt
