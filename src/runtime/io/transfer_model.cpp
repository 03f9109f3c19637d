#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/io/io_model.h"
#include "runtime/signals/signal_actions.h"
#include "runtime/signals/signal_model.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>

/// sendfile and splice: both ends can block. They may always transfer less than was asked for, so
/// one transfer that does not block is enough.

using namespace heddle;
using namespace heddle::rt;

namespace {

/// Makes a descriptor non-blocking for one call.
class NonBlockingScope {
public:
  explicit NonBlockingScope(int fd) : fd_(fd), flags_(rawSyscall(SYS_fcntl, fd, F_GETFL)) {
    if (changes())
      rawSyscall(SYS_fcntl, fd_, F_SETFL, flags_ | O_NONBLOCK);
  }
  ~NonBlockingScope() {
    if (changes())
      rawSyscall(SYS_fcntl, fd_, F_SETFL, flags_);
  }

private:
  bool changes() const { return flags_ >= 0 && !(flags_ & O_NONBLOCK); }

  int fd_;
  long flags_;
};

/// Waits for the end that is not ready; EINTR or 0.
long awaitEnds(int in, int out) {
  bool inReady = isReady(in, POLLIN);
  IoOutcome outcome = inReady ? waitForDescriptor(out, POLLOUT, kNoDeadline)
                              : waitForDescriptor(in, POLLIN, kNoDeadline);
  return outcome == IoOutcome::Interrupted ? -EINTR : 0;
}

template <typename Call> long transfer(int in, int out, bool dontWait, Call call) {
  beginIo(out);
  bool stays = dontWait || isNonBlocking(out);
  for (;;) {
    long result;
    {
      NonBlockingScope inScope(in);
      NonBlockingScope outScope(out);
      PipeSignalScope signalScope;
      result = call();
    }
    if (result == -EPIPE)
      raiseForSelf(SIGPIPE);
    if (result != -EAGAIN)
      return result;
    if (stays)
      return wouldBlock(out, result);
    if (long error = awaitEnds(in, out))
      return error;
  }
}

} // namespace

HEDDLE_INTERPOSE ssize_t sendfile(int out, int in, off_t* offset, size_t bytes) {
  if (!controlled())
    return real::sendfile(out, in, offset, bytes);
  return endIo(transfer(in, out, false, [&] {
    return rawSyscall(SYS_sendfile, out, in, asLong(offset), static_cast<long>(bytes));
  }));
}

HEDDLE_INTERPOSE ssize_t sendfile64(int out, int in, off64_t* offset, size_t bytes) {
  return sendfile(out, in, offset, bytes);
}

HEDDLE_INTERPOSE ssize_t splice(int in, off64_t* inOffset, int out, off64_t* outOffset,
                                size_t bytes, unsigned flags) {
  if (!controlled())
    return real::splice(in, inOffset, out, outOffset, bytes, flags);
  return endIo(transfer(in, out, (flags & SPLICE_F_NONBLOCK) != 0, [&] {
    return rawSyscall(SYS_splice, in, asLong(inOffset), out, asLong(outOffset),
                      static_cast<long>(bytes), flags | SPLICE_F_NONBLOCK);
  }));
}
