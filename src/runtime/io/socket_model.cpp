#include "runtime/io/socket_model.h"

#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/base/restorable.h"
#include "runtime/io/io_model.h"
#include "runtime/io/program_notes.h"
#include "runtime/signals/signal_model.h"
#include "runtime/time/timeout.h"
#include "runtime/time/virtual_time.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

extern "C" [[noreturn]] void __chk_fail();

using namespace heddle;
using namespace heddle::rt;

namespace {

constexpr int kDefaultTimeout = SO_RCVTIMEO;

IoOptions receiveOptions(int flags) {
  // Out-of-band data and the error queue show as other events; the kernel answers at once.
  bool direct = (flags & (MSG_DONTWAIT | MSG_ERRQUEUE | MSG_OOB)) != 0;
  return {POLLIN, direct, kNoDeadline, kDefaultTimeout};
}

IoOptions sendOptions(int flags) {
  return {POLLOUT, (flags & MSG_DONTWAIT) != 0, kNoDeadline, SO_SNDTIMEO};
}

long brokenPipe(long result, int flags) {
  if (result == -EPIPE && !(flags & MSG_NOSIGNAL))
    raiseForSelf(SIGPIPE);
  return result;
}

long receiveOnce(int fd, char* buffer, size_t bytes, int flags, sockaddr* from, socklen_t* length) {
  return callWhenReady(fd, receiveOptions(flags), [&] {
    return rawSyscall(SYS_recvfrom, fd, asLong(buffer), static_cast<long>(bytes),
                      (flags & ~MSG_WAITALL) | MSG_DONTWAIT, asLong(from), asLong(length));
  });
}

int socketType(int fd) {
  int type = 0;
  socklen_t bytes = sizeof type;
  rawSyscall(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, asLong(&type), asLong(&bytes));
  return type;
}

long receive(int fd, void* buffer, size_t bytes, int flags, sockaddr* from, socklen_t* length) {
  beginIo(fd);
  auto* to = static_cast<char*>(buffer);
  bool whole = (flags & MSG_WAITALL) && !(flags & (MSG_DONTWAIT | MSG_PEEK)) &&
               socketType(fd) == SOCK_STREAM && !isNonBlocking(fd);
  size_t done = 0;
  do {
    long result = receiveOnce(fd, to + done, bytes - done, flags, from, length);
    if (result < 0)
      return done != 0 ? static_cast<long>(done) : result;
    if (result == 0)
      break;
    done += static_cast<size_t>(result);
    refreshIoWaits();
  } while (whole && done < bytes);
  return static_cast<long>(done);
}

long sendMessage(int fd, const msghdr* message, int flags) {
  // Descriptors that travel in a message can end up anywhere.
  if (message->msg_control && message->msg_controllen != 0)
    descriptorsShared();
  return brokenPipe(callWhenReady(fd, sendOptions(flags),
                                  [&] {
                                    return rawSyscall(SYS_sendmsg, fd, asLong(message),
                                                      flags | MSG_DONTWAIT | MSG_NOSIGNAL);
                                  }),
                    flags);
}

bool isPartial(int fd, long result, size_t total) {
  return result >= 0 && static_cast<size_t>(result) < total && socketType(fd) == SOCK_STREAM;
}

/// A blocking send of a stream goes on until all is sent. The rest goes without control data and
/// part by part.
long sendRest(int fd, const msghdr* message, int flags, long done) {
  auto skip = static_cast<size_t>(done);
  for (size_t i = 0; i < message->msg_iovlen; ++i) {
    const iovec& part = message->msg_iov[i];
    if (skip >= part.iov_len) {
      skip -= part.iov_len;
      continue;
    }
    long result = writeStream(fd, static_cast<const char*>(part.iov_base) + skip,
                              part.iov_len - skip, false, flags);
    if (result < 0)
      return done;
    done += result;
    if (static_cast<size_t>(result) < part.iov_len - skip)
      return done;
    skip = 0;
  }
  return done;
}

long sendAll(int fd, const msghdr* message, int flags) {
  beginIo(fd);
  long result = sendMessage(fd, message, flags);
  size_t total = 0;
  for (size_t i = 0; i < message->msg_iovlen; ++i)
    total += message->msg_iov[i].iov_len;
  if ((flags & MSG_DONTWAIT) || !isPartial(fd, result, total) || isNonBlocking(fd))
    return result;
  refreshIoWaits();
  return sendRest(fd, message, flags, result);
}

long acceptConnection(int fd, sockaddr* address, socklen_t* length, int flags) {
  beginIo(fd);
  long result = callWhenReady(fd, {POLLIN, false, kNoDeadline, SO_RCVTIMEO}, [&] {
    return rawSyscall(SYS_accept4, fd, asLong(address), asLong(length), flags);
  });
  if (result >= 0) {
    descriptorOpened(static_cast<int>(result), DescriptorKind::Socket);
    socketNamed(static_cast<int>(result));
  }
  return result;
}

/// A pending connection of a blocking socket: waits for the handshake.
long finishConnect(int fd) {
  switch (waitForDescriptor(fd, POLLOUT, socketDeadline(fd, SO_SNDTIMEO))) {
  case IoOutcome::Ready:
    break;
  case IoOutcome::TimedOut:
    return -EINPROGRESS;
  case IoOutcome::Interrupted:
    return -EINTR;
  }
  int error = 0;
  socklen_t bytes = sizeof error;
  rawSyscall(SYS_getsockopt, fd, SOL_SOCKET, SO_ERROR, asLong(&error), asLong(&bytes));
  return -error;
}

struct ConnectAttempt {
  int fd;
  const sockaddr* address;
  socklen_t length;
  long result;
};

/// Without blocking, although the program did not ask for that.
long connectOnce(const ConnectAttempt& attempt) {
  long flags = rawSyscall(SYS_fcntl, attempt.fd, F_GETFL);
  rawSyscall(SYS_fcntl, attempt.fd, F_SETFL, flags | O_NONBLOCK);
  long result = rawSyscall(SYS_connect, attempt.fd, asLong(attempt.address), attempt.length);
  rawSyscall(SYS_fcntl, attempt.fd, F_SETFL, flags);
  return result;
}

/// A Unix socket whose backlog is full says EAGAIN, and cannot be polled for that.
bool retryConnect(void* context) {
  auto& attempt = *static_cast<ConnectAttempt*>(context);
  attempt.result = connectOnce(attempt);
  return attempt.result != -EAGAIN;
}

long blockingConnect(ConnectAttempt& attempt) {
  attempt.result = connectOnce(attempt);
  while (attempt.result == -EAGAIN) {
    IoWait wait;
    wait.attempt = retryConnect;
    wait.context = &attempt;
    if (waitForIo(wait, kNoDeadline) == IoOutcome::Interrupted)
      return -EINTR;
  }
  return attempt.result == -EINPROGRESS ? finishConnect(attempt.fd) : attempt.result;
}

long connectTo(int fd, const sockaddr* address, socklen_t length) {
  beginIo(fd);
  ConnectAttempt attempt{fd, address, length, 0};
  long result = isNonBlocking(fd) ? rawSyscall(SYS_connect, fd, asLong(address), length)
                                  : blockingConnect(attempt);
  if (result == 0 || result == -EINPROGRESS) {
    socketNamed(fd);
    if (reachOf(fd) == Reach::Outside)
      noteNotRestorable("connect");
  }
  return result;
}

/// A name that a second process cannot have at the same time; port 0 is any that is free.
bool isOwnName(const sockaddr* address, socklen_t length) {
  if (length < sizeof(sa_family_t))
    return false;
  if (address->sa_family == AF_INET && length >= sizeof(sockaddr_in))
    return reinterpret_cast<const sockaddr_in*>(address)->sin_port != 0;
  if (address->sa_family == AF_INET6 && length >= sizeof(sockaddr_in6))
    return reinterpret_cast<const sockaddr_in6*>(address)->sin6_port != 0;
  return length > sizeof(sa_family_t);
}

bool isUnixPath(const sockaddr* address, socklen_t length) {
  return length > sizeof(sa_family_t) && address->sa_family == AF_UNIX &&
         reinterpret_cast<const sockaddr_un*>(address)->sun_path[0] != 0;
}

} // namespace

HEDDLE_INTERPOSE int socket(int domain, int type, int protocol) {
  long fd = rawSyscall(SYS_socket, domain, type, protocol);
  if (controlled() && fd >= 0)
    descriptorOpened(static_cast<int>(fd), DescriptorKind::Socket);
  return static_cast<int>(withErrno(fd));
}

HEDDLE_INTERPOSE int socketpair(int domain, int type, int protocol, int* pair) {
  long result = rawSyscall(SYS_socketpair, domain, type, protocol, asLong(pair));
  if (controlled() && result == 0) {
    descriptorOpened(pair[0], DescriptorKind::SocketPair);
    descriptorOpened(pair[1], DescriptorKind::SocketPair);
  }
  return static_cast<int>(withErrno(result));
}

HEDDLE_INTERPOSE int bind(int fd, const sockaddr* address, socklen_t length) {
  long result = rawSyscall(SYS_bind, fd, asLong(address), length);
  if (controlled() && result == 0) {
    socketNamed(fd);
    if (isOwnName(address, length))
      noteOwnName();
    if (isUnixPath(address, length))
      noteNotRestorable("bind");
  }
  return static_cast<int>(withErrno(result));
}

HEDDLE_INTERPOSE int listen(int fd, int backlog) {
  if (!controlled())
    return static_cast<int>(withErrno(rawSyscall(SYS_listen, fd, backlog)));
  beginIo(fd);
  long result = rawSyscall(SYS_listen, fd, backlog);
  if (result == 0)
    socketListens(fd);
  return static_cast<int>(endIo(result));
}

HEDDLE_INTERPOSE int accept4(int fd, sockaddr* address, socklen_t* length, int flags) {
  if (!controlled())
    return real::accept4(fd, address, length, flags);
  return static_cast<int>(endIo(acceptConnection(fd, address, length, flags)));
}

HEDDLE_INTERPOSE int accept(int fd, sockaddr* address, socklen_t* length) {
  return accept4(fd, address, length, 0);
}

HEDDLE_INTERPOSE int connect(int fd, const sockaddr* address, socklen_t length) {
  if (!controlled())
    return real::connect(fd, address, length);
  return static_cast<int>(endIo(connectTo(fd, address, length)));
}

HEDDLE_INTERPOSE int shutdown(int fd, int how) {
  if (!controlled())
    return static_cast<int>(withErrno(rawSyscall(SYS_shutdown, fd, how)));
  beginIo(fd);
  return static_cast<int>(endIo(rawSyscall(SYS_shutdown, fd, how)));
}

HEDDLE_INTERPOSE ssize_t recvfrom(int fd, void* buffer, size_t bytes, int flags, sockaddr* from,
                                  socklen_t* length) {
  if (!controlled())
    return real::recvfrom(fd, buffer, bytes, flags, from, length);
  return endIo(receive(fd, buffer, bytes, flags, from, length));
}

HEDDLE_INTERPOSE ssize_t recv(int fd, void* buffer, size_t bytes, int flags) {
  return recvfrom(fd, buffer, bytes, flags, nullptr, nullptr);
}

HEDDLE_INTERPOSE ssize_t __recv_chk(int fd, void* buffer, size_t bytes, size_t room, int flags) {
  if (bytes > room)
    __chk_fail();
  return recvfrom(fd, buffer, bytes, flags, nullptr, nullptr);
}

HEDDLE_INTERPOSE ssize_t __recvfrom_chk(int fd, void* buffer, size_t bytes, size_t room, int flags,
                                        sockaddr* from, socklen_t* length) {
  if (bytes > room)
    __chk_fail();
  return recvfrom(fd, buffer, bytes, flags, from, length);
}

HEDDLE_INTERPOSE ssize_t recvmsg(int fd, msghdr* message, int flags) {
  if (!controlled())
    return real::recvmsg(fd, message, flags);
  beginIo(fd);
  return endIo(callWhenReady(fd, receiveOptions(flags), [&] {
    return rawSyscall(SYS_recvmsg, fd, asLong(message), flags | MSG_DONTWAIT);
  }));
}

HEDDLE_INTERPOSE int recvmmsg(int fd, mmsghdr* messages, unsigned count, int flags,
                              timespec* timeout) {
  if (!controlled())
    return real::recvmmsg(fd, messages, count, flags, timeout);
  beginIo(fd);
  IoOptions options = receiveOptions(flags);
  if (timeout)
    options.deadline = deadlineAfter(nanosecondsOf(*timeout));
  unsigned done = 0;
  long result = 0;
  do {
    result = callWhenReady(fd, options, [&] {
      return rawSyscall(SYS_recvmmsg, fd, asLong(messages + done), count - done,
                        (flags & ~MSG_WAITFORONE) | MSG_DONTWAIT, 0);
    });
    done += result > 0 ? static_cast<unsigned>(result) : 0;
  } while (result > 0 && done < count && !(flags & (MSG_WAITFORONE | MSG_DONTWAIT)));
  return static_cast<int>(endIo(done != 0 ? done : result));
}

HEDDLE_INTERPOSE ssize_t sendto(int fd, const void* data, size_t bytes, int flags,
                                const sockaddr* to, socklen_t length) {
  if (!controlled())
    return real::sendto(fd, data, bytes, flags, to, length);
  iovec part{const_cast<void*>(data), bytes};
  msghdr message{};
  message.msg_name = const_cast<sockaddr*>(to);
  message.msg_namelen = to ? length : 0;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  return endIo(sendAll(fd, &message, flags));
}

HEDDLE_INTERPOSE ssize_t send(int fd, const void* data, size_t bytes, int flags) {
  return sendto(fd, data, bytes, flags, nullptr, 0);
}

HEDDLE_INTERPOSE ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  if (!controlled())
    return real::sendmsg(fd, message, flags);
  return endIo(sendAll(fd, message, flags));
}

HEDDLE_INTERPOSE int sendmmsg(int fd, mmsghdr* messages, unsigned count, int flags) {
  if (!controlled())
    return real::sendmmsg(fd, messages, count, flags);
  unsigned done = 0;
  long result = 0;
  for (; done < count; ++done) {
    result = sendAll(fd, &messages[done].msg_hdr, flags);
    if (result < 0)
      break;
    messages[done].msg_len = static_cast<unsigned>(result);
  }
  return static_cast<int>(endIo(done != 0 ? done : result));
}
