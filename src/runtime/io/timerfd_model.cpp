#include "runtime/io/timerfd_model.h"

#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/core/scheduler.h"
#include "runtime/io/descriptor_table.h"
#include "runtime/time/program_timer.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

namespace heddle::rt {

namespace {

MadeTimer* descriptorTimers = nullptr;

void fireDescriptor(VirtualTimer& timer, uint64_t expirations) {
  rawSyscall(SYS_write, timer.number, asLong(&expirations), sizeof expirations);
}

MadeTimer* timerOfDescriptor(int fd) {
  for (MadeTimer* made = descriptorTimers; made; made = made->next)
    if (made->timer.number == fd && !made->deleted)
      return made;
  return nullptr;
}

/// Setting a timer forgets expirations that nobody has read.
void drain(int fd) {
  pollfd descriptor{fd, POLLIN, 0};
  timespec zero{0, 0};
  uint64_t count;
  if (rawSyscall(SYS_ppoll, asLong(&descriptor), 1, asLong(&zero), 0, 8) == 1)
    rawSyscall(SYS_read, fd, asLong(&count), sizeof count);
}

} // namespace

void timerDescriptorClosed(int fd) {
  if (MadeTimer* made = timerOfDescriptor(fd)) {
    made->deleted = true;
    armTimer(made->timer, kNoDeadline, 0);
  }
}

} // namespace heddle::rt

using namespace heddle;
using namespace heddle::rt;

HEDDLE_INTERPOSE int timerfd_create(clockid_t clock, int flags) {
  if (!controlled())
    return real::timerfd_create(clock, flags);
  static_assert(int{TFD_NONBLOCK} == int{EFD_NONBLOCK} && int{TFD_CLOEXEC} == int{EFD_CLOEXEC});
  int fd = eventfd(0, flags);
  if (fd < 0)
    return fd;
  MadeTimer* made = newTimer(clock, fireDescriptor);
  made->timer.number = fd;
  made->next = descriptorTimers;
  descriptorTimers = made;
  return fd;
}

HEDDLE_INTERPOSE int timerfd_settime(int fd, int flags, const itimerspec* value, itimerspec* old) {
  if (!controlled())
    return real::timerfd_settime(fd, flags, value, old);
  MadeTimer* made = timerOfDescriptor(fd);
  if (!made || !validSetting(*value))
    return refuse(EINVAL);
  point(EventKind::Io, descriptorObject(fd));
  if (old)
    *old = remaining(made->timer);
  drain(fd);
  setTimer(*made, (flags & TFD_TIMER_ABSTIME) != 0, *value);
  refreshIoWaits();
  return 0;
}

HEDDLE_INTERPOSE int timerfd_gettime(int fd, itimerspec* value) {
  if (!controlled())
    return real::timerfd_gettime(fd, value);
  MadeTimer* made = timerOfDescriptor(fd);
  if (!made)
    return refuse(EINVAL);
  *value = remaining(made->timer);
  return 0;
}
