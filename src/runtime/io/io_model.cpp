#include "runtime/io/io_model.h"

#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/base/restorable.h"
#include "runtime/core/cancellation.h"
#include "runtime/io/program_notes.h"
#include "runtime/io/random_model.h"
#include "runtime/signals/signal_actions.h"
#include "runtime/signals/signal_model.h"
#include "runtime/time/virtual_time.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

extern "C" [[noreturn]] void __chk_fail();

namespace heddle::rt {

namespace {

constexpr size_t kPipeChunk = 4096; ///< PIPE_BUF: fits whenever a pipe polls as writable

/// Whether a write to it takes what fits and blocks for the rest.
enum class Sink : uint8_t { Whole, Pipe, Socket };

Sink sinkOf(int fd) {
  switch (descriptorKind(fd)) {
  case DescriptorKind::Pipe:
    return Sink::Pipe;
  case DescriptorKind::SocketPair:
  case DescriptorKind::Socket:
    return Sink::Socket;
  case DescriptorKind::File:
  case DescriptorKind::Event:
  case DescriptorKind::Epoll:
  case DescriptorKind::Signals:
  case DescriptorKind::RandomDevice:
    return Sink::Whole;
  case DescriptorKind::Unknown:
    break;
  }
  struct stat status;
  if (rawSyscall(SYS_fstat, fd, asLong(&status)) != 0)
    return Sink::Whole;
  return S_ISFIFO(status.st_mode)   ? Sink::Pipe
         : S_ISSOCK(status.st_mode) ? Sink::Socket
                                    : Sink::Whole;
}

/// Standard output and error go to the controller or the terminal, which always read.
bool isOutput(int fd) { return (fd == 1 || fd == 2) && isInherited(fd); }

long writeChunk(int fd, Sink sink, const char* data, size_t bytes, int flags) {
  if (sink == Sink::Socket)
    return rawSyscall(SYS_sendto, fd, asLong(data), static_cast<long>(bytes),
                      flags | MSG_DONTWAIT | MSG_NOSIGNAL, 0, 0);
  PipeSignalScope scope;
  return rawSyscall(SYS_write, fd, asLong(data), static_cast<long>(bytes));
}

long brokenPipe(long result, int flags) {
  if (result == -EPIPE && !(flags & MSG_NOSIGNAL))
    raiseForSelf(SIGPIPE);
  return result;
}

size_t totalBytes(const iovec* parts, int count) {
  size_t total = 0;
  for (int i = 0; i < count; ++i)
    total += parts[i].iov_len;
  return total;
}

/// Parts one after the other; stops where one is not written whole.
long writeParts(int fd, const iovec* parts, int count) {
  long total = 0;
  for (int i = 0; i < count; ++i) {
    if (parts[i].iov_len == 0)
      continue;
    long result =
        writeStream(fd, static_cast<const char*>(parts[i].iov_base), parts[i].iov_len, false, 0);
    if (result < 0)
      return total != 0 ? total : result;
    total += result;
    if (static_cast<size_t>(result) != parts[i].iov_len)
      break;
  }
  return total;
}

long modelWritev(int fd, const iovec* parts, int count) {
  beginIo(fd);
  Sink sink = sinkOf(fd);
  auto call = [&] {
    PipeSignalScope scope;
    return rawSyscall(SYS_writev, fd, asLong(parts), count);
  };
  if (isOutput(fd))
    return brokenPipe(call(), 0);
  bool fits = totalBytes(parts, count) <= kPipeChunk; // atomic: in one call
  if (sink == Sink::Whole || isNonBlocking(fd) || (sink == Sink::Pipe && fits))
    return brokenPipe(callWhenReady(fd, {POLLOUT}, call), 0);
  return writeParts(fd, parts, count);
}

long modelRead(int fd, void* buffer, size_t bytes) {
  beginIo(fd);
  if (descriptorKind(fd) == DescriptorKind::RandomDevice) {
    fillRandom(buffer, bytes);
    return static_cast<long>(bytes);
  }
  return callWhenReady(fd, {POLLIN, false, kNoDeadline, SO_RCVTIMEO}, [&] {
    return rawSyscall(SYS_read, fd, asLong(buffer), static_cast<long>(bytes));
  });
}

} // namespace

bool isReady(int fd, short events) {
  if (descriptorKind(fd) == DescriptorKind::File)
    return true;
  pollfd descriptor{fd, events, 0};
  timespec zero{0, 0};
  return rawSyscall(SYS_ppoll, asLong(&descriptor), 1, asLong(&zero), 0, 8) != 0;
}

bool isNonBlocking(int fd) {
  long flags = rawSyscall(SYS_fcntl, fd, F_GETFL);
  return flags < 0 || (flags & O_NONBLOCK);
}

void beginIo(int fd) {
  point(EventKind::Io, descriptorObject(fd));
  cancellationPoint();
  if (isInherited(fd) && !isOutput(fd) && fd != 0)
    noteNotRestorable("I/O on a descriptor that was open before the run");
}

long endIo(long result) {
  refreshIoWaits();
  return withErrno(result);
}

long wouldBlock(int fd, long error) {
  noteFutileAttempt(descriptorObject(fd));
  return error;
}

uint64_t socketDeadline(int fd, int option) {
  timeval timeout{};
  socklen_t bytes = sizeof timeout;
  if (rawSyscall(SYS_getsockopt, fd, SOL_SOCKET, option, asLong(&timeout), asLong(&bytes)) != 0 ||
      (timeout.tv_sec == 0 && timeout.tv_usec == 0))
    return kNoDeadline;
  return deadlineAfter(static_cast<uint64_t>(timeout.tv_sec) * 1'000'000'000 +
                       static_cast<uint64_t>(timeout.tv_usec) * 1'000);
}

long writeStream(int fd, const char* data, size_t bytes, bool dontWait, int flags) {
  if (isOutput(fd)) {
    PipeSignalScope scope;
    return brokenPipe(rawSyscall(SYS_write, fd, asLong(data), static_cast<long>(bytes)), flags);
  }
  Sink sink = sinkOf(fd);
  bool once = dontWait || sink == Sink::Whole || isNonBlocking(fd);
  size_t done = 0;
  do {
    size_t part = bytes - done;
    if (sink == Sink::Pipe && !once && part > kPipeChunk)
      part = kPipeChunk;
    long result = callWhenReady(fd, {POLLOUT, dontWait, kNoDeadline, SO_SNDTIMEO},
                                [&] { return writeChunk(fd, sink, data + done, part, flags); });
    if (result < 0)
      return done != 0 ? static_cast<long>(done) : brokenPipe(result, flags);
    done += static_cast<size_t>(result);
    refreshIoWaits();
  } while (done < bytes && !once);
  return static_cast<long>(done);
}

} // namespace heddle::rt

using namespace heddle;
using namespace heddle::rt;

HEDDLE_INTERPOSE ssize_t read(int fd, void* buffer, size_t bytes) {
  if (!controlled())
    return real::read(fd, buffer, bytes);
  ssize_t got = endIo(modelRead(fd, buffer, bytes));
  if (got == 0 && bytes != 0)
    noteEndOfInput(fd);
  return got;
}

HEDDLE_INTERPOSE ssize_t __read_chk(int fd, void* buffer, size_t bytes, size_t room) {
  if (bytes > room)
    __chk_fail();
  return read(fd, buffer, bytes);
}

HEDDLE_INTERPOSE ssize_t readv(int fd, const iovec* parts, int count) {
  if (!controlled())
    return real::readv(fd, parts, count);
  beginIo(fd);
  return endIo(callWhenReady(fd, {POLLIN, false, kNoDeadline, SO_RCVTIMEO},
                             [&] { return rawSyscall(SYS_readv, fd, asLong(parts), count); }));
}

HEDDLE_INTERPOSE ssize_t write(int fd, const void* data, size_t bytes) {
  if (!controlled())
    return real::write(fd, data, bytes);
  beginIo(fd);
  return endIo(writeStream(fd, static_cast<const char*>(data), bytes, false, 0));
}

HEDDLE_INTERPOSE ssize_t writev(int fd, const iovec* parts, int count) {
  if (!controlled())
    return real::writev(fd, parts, count);
  return endIo(modelWritev(fd, parts, count));
}

// With a position: files only, which never block; pipes and sockets refuse it.
HEDDLE_INTERPOSE ssize_t pread64(int fd, void* buffer, size_t bytes, off64_t offset) {
  if (controlled())
    beginIo(fd);
  return withErrno(rawSyscall(SYS_pread64, fd, asLong(buffer), static_cast<long>(bytes), offset));
}

HEDDLE_INTERPOSE ssize_t pread(int fd, void* buffer, size_t bytes, off_t offset) {
  return pread64(fd, buffer, bytes, offset);
}

HEDDLE_INTERPOSE ssize_t __pread_chk(int fd, void* buffer, size_t bytes, off_t offset,
                                     size_t room) {
  if (bytes > room)
    __chk_fail();
  return pread64(fd, buffer, bytes, offset);
}

HEDDLE_INTERPOSE ssize_t __pread64_chk(int fd, void* buffer, size_t bytes, off64_t offset,
                                       size_t room) {
  return __pread_chk(fd, buffer, bytes, offset, room);
}

HEDDLE_INTERPOSE ssize_t pwrite64(int fd, const void* data, size_t bytes, off64_t offset) {
  if (controlled())
    beginIo(fd);
  return withErrno(rawSyscall(SYS_pwrite64, fd, asLong(data), static_cast<long>(bytes), offset));
}

HEDDLE_INTERPOSE ssize_t pwrite(int fd, const void* data, size_t bytes, off_t offset) {
  return pwrite64(fd, data, bytes, offset);
}

HEDDLE_INTERPOSE int eventfd_read(int fd, eventfd_t* value) {
  return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}

HEDDLE_INTERPOSE int eventfd_write(int fd, eventfd_t value) {
  return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}
