#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/core/thread_id.h"
#include "runtime/signals/signal_model.h"
#include "runtime/signals/signal_queue.h"
#include "runtime/time/program_timer.h"

#include <errno.h>
#include <sys/time.h>

/// alarm, setitimer and timer_create in virtual time.

using namespace heddle;
using namespace heddle::rt;

namespace {

constexpr uint64_t kSecond = 1'000'000'000;

VirtualTimer intervalTimers[3]; ///< ITIMER_REAL, _VIRTUAL, _PROF

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
  setTimer(*made, (flags & TIMER_ABSTIME) != 0, *value);
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
