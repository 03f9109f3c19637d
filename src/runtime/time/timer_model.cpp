#include "runtime/time/timer_model.h"

#include "runtime/base/arena.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/failure/failure.h"
#include "runtime/io/io_wait.h"
#include "runtime/signals/signal_model.h"
#include "runtime/signals/signal_queue.h"
#include "runtime/threads/thread_model.h"
#include "runtime/time/time_model.h"
#include "runtime/time/timeout.h"
#include "runtime/time/virtual_timer.h"

#include <errno.h>
#include <new>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>

using namespace heddle;
using namespace heddle::rt;

namespace {

constexpr uint64_t kSecond = 1'000'000'000;

/// A timer that the program made: POSIX or a descriptor.
struct MadeTimer {
  VirtualTimer timer;
  clockid_t clock = CLOCK_REALTIME;
  bool deleted = false;
  Fiber* target = nullptr; ///< SIGEV_THREAD_ID
  int overrun = 0;
  MadeTimer* next = nullptr;
};

VirtualTimer intervalTimers[3]; ///< ITIMER_REAL, _VIRTUAL, _PROF
MadeTimer* descriptorTimers = nullptr;

int refuse(int error) {
  errno = error;
  return -1;
}

void fireSignal(VirtualTimer& timer, uint64_t) {
  raiseForProcess(timer.signal, makeInfo(timer.signal, SI_KERNEL));
}

void fireMade(VirtualTimer& timer, uint64_t expirations) {
  auto& made = reinterpret_cast<MadeTimer&>(timer);
  made.overrun = static_cast<int>(expirations - 1);
  if (timer.signal == 0)
    return;
  siginfo_t info = makeInfo(timer.signal, SI_TIMER);
  info.si_value.sival_ptr = reinterpret_cast<void*>(timer.value);
  info.si_overrun = made.overrun;
  if (made.target && !made.target->finished)
    raiseForThread(made.target, timer.signal, info);
  else
    raiseForProcess(timer.signal, info);
}

void fireDescriptor(VirtualTimer& timer, uint64_t expirations) {
  rawSyscall(SYS_write, timer.number, asLong(&expirations), sizeof expirations);
}

MadeTimer* newTimer(clockid_t clock, void (*fire)(VirtualTimer&, uint64_t)) {
  auto* made = new (runAllocate(sizeof(MadeTimer))) MadeTimer;
  made->clock = clock;
  made->timer.fire = fire;
  return made;
}

uint64_t nanosOf(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * kSecond + static_cast<uint64_t>(time.tv_usec) * 1000;
}

timeval timevalOf(uint64_t nanos) {
  return {static_cast<time_t>(nanos / kSecond), static_cast<suseconds_t>(nanos % kSecond / 1000)};
}

bool validInterval(const timeval& time) {
  return time.tv_sec >= 0 && time.tv_usec >= 0 && time.tv_usec < 1'000'000;
}

VirtualTimer& intervalTimer(int which) {
  constexpr int signals[] = {SIGALRM, SIGVTALRM, SIGPROF};
  VirtualTimer& timer = intervalTimers[which];
  timer.signal = signals[which];
  timer.fire = fireSignal;
  return timer;
}

void arm(VirtualTimer& timer, uint64_t after, uint64_t interval) {
  armTimer(timer, after == 0 ? kNoDeadline : deadlineAfter(after), interval);
}

itimerspec remaining(const VirtualTimer& timer) {
  return {timespecOf(timer.interval), timespecOf(timerLeft(timer))};
}

bool validSetting(const itimerspec& value) {
  return validTime(value.it_value) && validTime(value.it_interval) && value.it_value.tv_sec >= 0;
}

void setMade(MadeTimer& made, bool absolute, const itimerspec& value) {
  uint64_t first = nanosecondsOf(value.it_value);
  uint64_t interval = nanosecondsOf(value.it_interval);
  if (first == 0 || !absolute)
    return arm(made.timer, first, interval);
  clockid_t clock = made.clock == CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  armTimer(made.timer, deadlineOf({clock, &value.it_value}), interval);
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

Fiber* fiberWithId(int id) {
  for (uint32_t i = 0; i < threadCount(); ++i)
    if (threadIdOf(scheduler.fibers[i]) == id)
      return scheduler.fibers[i];
  return nullptr;
}

bool describe(MadeTimer& made, const sigevent* event) {
  made.timer.signal = event ? event->sigev_signo : SIGALRM;
  made.timer.value = reinterpret_cast<uint64_t>(event ? event->sigev_value.sival_ptr : &made);
  if (!event || event->sigev_notify == SIGEV_SIGNAL)
    return made.timer.signal > 0 && made.timer.signal < kSignals;
  if (event->sigev_notify == SIGEV_THREAD)
    loseControl("timer_create with SIGEV_THREAD starts threads inside libc; use a signal, a "
                "timerfd or a thread that sleeps");
  if (event->sigev_notify == SIGEV_THREAD_ID)
    made.target = fiberWithId(event->_sigev_un._tid);
  if (event->sigev_notify == SIGEV_NONE)
    made.timer.signal = 0;
  return true;
}

} // namespace

namespace heddle::rt {

void timerDescriptorClosed(int fd) {
  if (MadeTimer* made = timerOfDescriptor(fd)) {
    made->deleted = true;
    armTimer(made->timer, kNoDeadline, 0);
  }
}

} // namespace heddle::rt

HEDDLE_INTERPOSE int setitimer(int which, const itimerval* value, itimerval* old) {
  if (!controlled())
    return real::setitimer(which, value, old);
  if (which < 0 || which > 2 ||
      (value && (!validInterval(value->it_value) || !validInterval(value->it_interval))))
    return refuse(EINVAL);
  VirtualTimer& timer = intervalTimer(which);
  if (old)
    *old = {timevalOf(timer.interval), timevalOf(timerLeft(timer))};
  if (value)
    arm(timer, nanosOf(value->it_value), nanosOf(value->it_interval));
  return 0;
}

HEDDLE_INTERPOSE int getitimer(int which, itimerval* value) {
  return controlled() ? setitimer(which, nullptr, value) : real::getitimer(which, value);
}

HEDDLE_INTERPOSE unsigned alarm(unsigned seconds) {
  if (!controlled())
    return real::alarm(seconds);
  VirtualTimer& timer = intervalTimer(ITIMER_REAL);
  uint64_t left = timerLeft(timer);
  arm(timer, seconds * kSecond, 0);
  return static_cast<unsigned>((left + kSecond - 1) / kSecond);
}

HEDDLE_INTERPOSE useconds_t ualarm(useconds_t first, useconds_t interval) {
  itimerval value{timevalOf(interval * 1000ull), timevalOf(first * 1000ull)};
  itimerval old{};
  setitimer(ITIMER_REAL, &value, &old);
  return static_cast<useconds_t>(nanosOf(old.it_value) / 1000);
}

HEDDLE_INTERPOSE int timer_create(clockid_t clock, sigevent* event, timer_t* timer) {
  if (!controlled())
    return real::timer_create(clock, event, timer);
  MadeTimer* made = newTimer(clock, fireMade);
  if (!describe(*made, event))
    return refuse(EINVAL);
  *timer = made;
  return 0;
}

HEDDLE_INTERPOSE int timer_settime(timer_t timer, int flags, const itimerspec* value,
                                   itimerspec* old) {
  if (!controlled())
    return real::timer_settime(timer, flags, value, old);
  auto* made = static_cast<MadeTimer*>(timer);
  if (made->deleted || !validSetting(*value))
    return refuse(EINVAL);
  if (old)
    *old = remaining(made->timer);
  setMade(*made, (flags & TIMER_ABSTIME) != 0, *value);
  return 0;
}

HEDDLE_INTERPOSE int timer_gettime(timer_t timer, itimerspec* value) {
  if (!controlled())
    return real::timer_gettime(timer, value);
  *value = remaining(static_cast<MadeTimer*>(timer)->timer);
  return 0;
}

HEDDLE_INTERPOSE int timer_getoverrun(timer_t timer) {
  return controlled() ? static_cast<MadeTimer*>(timer)->overrun : real::timer_getoverrun(timer);
}

HEDDLE_INTERPOSE int timer_delete(timer_t timer) {
  if (!controlled())
    return real::timer_delete(timer);
  auto* made = static_cast<MadeTimer*>(timer);
  if (made->deleted)
    return refuse(EINVAL);
  made->deleted = true;
  armTimer(made->timer, kNoDeadline, 0);
  return 0;
}

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
  setMade(*made, (flags & TFD_TIMER_ABSTIME) != 0, *value);
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
