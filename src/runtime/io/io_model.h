#pragma once

#include "runtime/io/io_wait.h"

/// How a system call on a descriptor is made that could block: a scheduling point, then the call if
/// the descriptor is ready or was made non-blocking by the program, else a wait and another try.
namespace heddle::rt {

/// Whether the descriptor is ready now (errors count: the call will tell).
bool isReady(int fd, short events);
/// Whether the program has set O_NONBLOCK.
bool isNonBlocking(int fd);
/// Before a call on a descriptor: cancellation, scheduling point, undo book-keeping.
void beginIo(int fd);
/// After it: wakes others that it made ready.
long endIo(long result);
/// The call would block, and the program asked for not blocking: EAGAIN, and other threads get a
/// chance if it goes on asking.
long wouldBlock(int fd, long error);

struct IoOptions {
  short events;          ///< POLLIN or POLLOUT
  bool dontWait = false; ///< MSG_DONTWAIT and the like
  uint64_t deadline = kNoDeadline;
  int timeoutOption = 0; ///< SO_RCVTIMEO or SO_SNDTIMEO of a socket
};

/// Virtual time at which the socket's own timeout ends.
uint64_t socketDeadline(int fd, int option);

/// Makes the call, waiting until it would not block; its result as the kernel gives it.
template <typename Call> long callWhenReady(int fd, const IoOptions& options, Call call) {
  uint64_t deadline = options.deadline;
  for (;;) {
    bool ready = isReady(fd, options.events);
    bool stays = options.dontWait || (!ready && isNonBlocking(fd));
    if (ready || stays) {
      long result = call();
      if (result != -11) // EAGAIN
        return result;
      if (stays || isNonBlocking(fd))
        return wouldBlock(fd, result);
    }
    if (options.timeoutOption != 0 && deadline == kNoDeadline)
      deadline = socketDeadline(fd, options.timeoutOption);
    switch (waitForDescriptor(fd, options.events, deadline)) {
    case IoOutcome::Ready:
      break;
    case IoOutcome::TimedOut:
      return -11; // EAGAIN
    case IoOutcome::Interrupted:
      return -4; // EINTR
    }
  }
}

/// What a blocking write must do to write everything: by chunks that the kernel takes at once.
long writeStream(int fd, const char* data, size_t bytes, bool dontWait, int flags);

} // namespace heddle::rt
