#pragma once

/// What the program does that its user should hear of once: see ProgramNotes in batch.h.
namespace heddle::rt {

/// The descriptor was opened for a path; counts if it can write to a file outside TMPDIR.
void noteOpened(int fd);
/// A socket got a name that only one process can have.
void noteOwnName();
/// A read from the descriptor came to the end of its input.
void noteEndOfInput(int fd);
/// At the end of a run: what libc's own reads have seen.
void noteStreams();

} // namespace heddle::rt
