#include "runtime/io/poll_model.h"

#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/core/cancellation.h"
#include "runtime/io/io_model.h"
#include "runtime/signals/signal_model.h"
#include "runtime/time/timeout.h"
#include "runtime/time/virtual_time.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>

extern "C" [[noreturn]] void __chk_fail();

using namespace heddle;
using namespace heddle::rt;

namespace {

constexpr uint64_t kMillisecond = 1'000'000;

uint64_t deadlineOfMilliseconds(int timeout) {
  return timeout < 0 ? kNoDeadline : deadlineAfter(static_cast<uint64_t>(timeout) * kMillisecond);
}

/// How long to wait, and with which signal mask (null: the thread's own).
struct Patience {
  uint64_t deadline;
  const sigset_t* mask = nullptr;
};

/// Asks until something is ready, waiting for `wait` in between. `ask` never blocks. A signal that
/// only the mask lets through ends the wait, also when it was pending before.
template <typename Ask>
long askUntil(IoWait& wait, const void* object, const Patience& patience, Ask ask) {
  uint32_t handled = handlerCalls(self()).all;
  uint64_t deadline = patience.deadline;
  MaskScope scope(patience.mask);
  point(EventKind::Io, object);
  cancellationPoint();
  wait.restarts = false;
  for (;;) {
    long result = ask();
    if (result != 0)
      return result;
    if (patience.mask && handlerCalls(self()).all != handled)
      return -EINTR;
    if (deadline <= now()) {
      noteFutileAttempt(object);
      return 0;
    }
    switch (waitForIo(wait, deadline)) {
    case IoOutcome::Ready:
      break;
    case IoOutcome::TimedOut:
      return ask(); // ready at the last moment counts
    case IoOutcome::Interrupted:
      return -EINTR;
    }
  }
}

long pollUntil(pollfd* descriptors, nfds_t count, const Patience& patience) {
  IoWait wait;
  wait.descriptors = descriptors;
  wait.count = static_cast<uint32_t>(count);
  const void* object = count != 0 ? descriptorObject(descriptors[0].fd) : nullptr;
  return askUntil(wait, object, patience, [&] {
    timespec zero{0, 0};
    return rawSyscall(SYS_ppoll, asLong(descriptors), static_cast<long>(count), asLong(&zero), 0,
                      8);
  });
}

struct SelectSets {
  fd_set* sets[3];  ///< the program's: read, write, except
  fd_set wanted[3]; ///< what it asked for

  SelectSets(fd_set* read, fd_set* write, fd_set* except) : sets{read, write, except} {
    for (int i = 0; i < 3; ++i) {
      FD_ZERO(&wanted[i]);
      if (sets[i])
        wanted[i] = *sets[i];
    }
  }
  long ask(int count) {
    for (int i = 0; i < 3; ++i)
      if (sets[i])
        *sets[i] = wanted[i];
    timespec zero{0, 0};
    return rawSyscall(SYS_pselect6, count, asLong(sets[0]), asLong(sets[1]), asLong(sets[2]),
                      asLong(&zero), 0);
  }
  uint32_t list(int count, pollfd* descriptors) const {
    constexpr short events[] = {POLLIN, POLLOUT, POLLPRI};
    uint32_t listed = 0;
    for (int fd = 0; fd < count; ++fd) {
      short all = 0;
      for (int i = 0; i < 3; ++i)
        if (FD_ISSET(fd, &wanted[i]))
          all = static_cast<short>(all | events[i]);
      if (all != 0)
        descriptors[listed++] = {fd, all, 0};
    }
    return listed;
  }
};

long selectUntil(int count, fd_set* read, fd_set* write, fd_set* except, const Patience& patience) {
  if (count < 0 || count > FD_SETSIZE)
    return -EINVAL;
  SelectSets sets(read, write, except);
  pollfd descriptors[FD_SETSIZE];
  IoWait wait;
  wait.descriptors = descriptors;
  wait.count = sets.list(count, descriptors);
  const void* object = wait.count != 0 ? descriptorObject(descriptors[0].fd) : nullptr;
  return askUntil(wait, object, patience, [&] { return sets.ask(count); });
}

long epollUntil(int epoll, epoll_event* events, int most, const Patience& patience) {
  pollfd descriptor{epoll, POLLIN, 0};
  IoWait wait;
  wait.descriptors = &descriptor;
  wait.count = 1;
  return askUntil(wait, descriptorObject(epoll), patience, [&] {
    return rawSyscall(SYS_epoll_pwait, epoll, asLong(events), most, 0, 0, 8);
  });
}

/// 0, or an error number for a time that is none.
int readTimeout(const timespec* time, uint64_t& deadline) {
  deadline = kNoDeadline;
  if (!time)
    return 0;
  if (!validTime(*time) || time->tv_sec < 0)
    return EINVAL;
  deadline = deadlineAfter(nanosecondsOf(*time));
  return 0;
}

} // namespace

HEDDLE_INTERPOSE int poll(pollfd* descriptors, nfds_t count, int timeout) {
  if (!controlled())
    return real::poll(descriptors, count, timeout);
  return static_cast<int>(endIo(pollUntil(descriptors, count, {deadlineOfMilliseconds(timeout)})));
}

HEDDLE_INTERPOSE int __poll_chk(pollfd* descriptors, nfds_t count, int timeout, size_t room) {
  if (room / sizeof(pollfd) < count)
    __chk_fail();
  return poll(descriptors, count, timeout);
}

HEDDLE_INTERPOSE int ppoll(pollfd* descriptors, nfds_t count, const timespec* timeout,
                           const sigset_t* mask) {
  if (!controlled())
    return real::ppoll(descriptors, count, timeout, mask);
  uint64_t deadline;
  if (int error = readTimeout(timeout, deadline))
    return static_cast<int>(withErrno(-error));
  return static_cast<int>(endIo(pollUntil(descriptors, count, {deadline, mask})));
}

HEDDLE_INTERPOSE int __ppoll_chk(pollfd* descriptors, nfds_t count, const timespec* timeout,
                                 const sigset_t* mask, size_t room) {
  if (room / sizeof(pollfd) < count)
    __chk_fail();
  return ppoll(descriptors, count, timeout, mask);
}

HEDDLE_INTERPOSE int pselect(int count, fd_set* read, fd_set* write, fd_set* except,
                             const timespec* timeout, const sigset_t* mask) {
  if (!controlled())
    return real::pselect(count, read, write, except, timeout, mask);
  uint64_t deadline;
  if (int error = readTimeout(timeout, deadline))
    return static_cast<int>(withErrno(-error));
  return static_cast<int>(endIo(selectUntil(count, read, write, except, {deadline, mask})));
}

HEDDLE_INTERPOSE int select(int count, fd_set* read, fd_set* write, fd_set* except,
                            timeval* timeout) {
  if (!controlled())
    return real::select(count, read, write, except, timeout);
  uint64_t deadline = kNoDeadline;
  if (timeout) {
    if (timeout->tv_sec < 0 || timeout->tv_usec < 0)
      return static_cast<int>(withErrno(-EINVAL));
    deadline = deadlineAfter(static_cast<uint64_t>(timeout->tv_sec) * 1000 * kMillisecond +
                             static_cast<uint64_t>(timeout->tv_usec) * 1000);
  }
  int result = static_cast<int>(endIo(selectUntil(count, read, write, except, {deadline})));
  if (timeout) { // Linux leaves what was not slept
    uint64_t left = deadline > now() ? deadline - now() : 0;
    *timeout = {static_cast<time_t>(left / (1000 * kMillisecond)),
                static_cast<suseconds_t>(left % (1000 * kMillisecond) / 1000)};
  }
  return result;
}

HEDDLE_INTERPOSE int epoll_pwait(int epoll, epoll_event* events, int most, int timeout,
                                 const sigset_t* mask) {
  if (!controlled())
    return real::epoll_pwait(epoll, events, most, timeout, mask);
  return static_cast<int>(
      endIo(epollUntil(epoll, events, most, {deadlineOfMilliseconds(timeout), mask})));
}

HEDDLE_INTERPOSE int epoll_wait(int epoll, epoll_event* events, int most, int timeout) {
  return epoll_pwait(epoll, events, most, timeout, nullptr);
}

HEDDLE_INTERPOSE int epoll_pwait2(int epoll, epoll_event* events, int most, const timespec* timeout,
                                  const sigset_t* mask) {
  if (!controlled())
    return real::epoll_pwait2(epoll, events, most, timeout, mask);
  uint64_t deadline;
  if (int error = readTimeout(timeout, deadline))
    return static_cast<int>(withErrno(-error));
  return static_cast<int>(endIo(epollUntil(epoll, events, most, {deadline, mask})));
}

HEDDLE_INTERPOSE int epoll_create1(int flags) {
  long fd = rawSyscall(SYS_epoll_create1, flags);
  if (controlled() && fd >= 0)
    descriptorOpened(static_cast<int>(fd), DescriptorKind::Epoll);
  return static_cast<int>(withErrno(fd));
}

HEDDLE_INTERPOSE int epoll_create(int size) {
  return size > 0 ? epoll_create1(0) : static_cast<int>(withErrno(-EINVAL));
}

HEDDLE_INTERPOSE int epoll_ctl(int epoll, int operation, int fd, epoll_event* event) {
  if (!controlled())
    return static_cast<int>(
        withErrno(rawSyscall(SYS_epoll_ctl, epoll, operation, fd, asLong(event))));
  beginIo(epoll);
  long result = rawSyscall(SYS_epoll_ctl, epoll, operation, fd, asLong(event));
  if (result == 0 && operation == EPOLL_CTL_ADD)
    epollAdded(epoll, fd);
  if (result == 0 && operation == EPOLL_CTL_DEL)
    epollRemoved(epoll, fd);
  return static_cast<int>(endIo(result));
}
