#pragma once

/// Locks on files, and the queues and semaphores of System V and POSIX: tried without blocking,
/// and tried again when others have done something. Who holds them may be in another process.
namespace heddle::rt {

/// F_SETLKW and the other commands that lock.
bool isLockCommand(int command);
/// fcntl with one of them; the result as the kernel gives it.
long lockFile(int fd, int command, long argument);

} // namespace heddle::rt
