#include "runtime/unseen/system_call_model.h"

#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/base/restorable.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler.h"
#include "runtime/core/thread_id.h"
#include "runtime/sync/futex_model.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

using namespace heddle;
using namespace heddle::rt;

namespace {

template <typename T> T* pointer(long value) { return reinterpret_cast<T*>(value); }

long futex(const long* a) {
  return withErrno(modelFutex(pointer<uint32_t>(a[0]), static_cast<int>(a[1]),
                              static_cast<uint32_t>(a[2]), static_cast<uintptr_t>(a[3]),
                              pointer<uint32_t>(a[4]), static_cast<uint32_t>(a[5])));
}

/// tgkill and tkill name a thread by the id that gettid gave.
long signalThread(long id, int signal) {
  for (uint32_t i = 0; i < threadCount(); ++i) {
    Fiber* fiber = fiberAt(static_cast<ThreadIndex>(i));
    if (!fiber->finished && threadIdOf(fiber) == id)
      return withErrno(-pthread_kill(fiber->fsBase, signal));
  }
  return withErrno(-ESRCH);
}

/// System calls that change what belongs to the process, by the name of libc's function.
const char* changeBy(long number) {
  switch (number) {
#define HEDDLE_CHANGE_CALL(name)                                                                   \
  case SYS_##name:                                                                                 \
    return #name;
#include "runtime/unseen/changing_calls.def"
#undef HEDDLE_CHANGE_CALL
  default:
    return nullptr;
  }
}

long callKernel(long number, const long* a) {
  if (const char* change = changeBy(number))
    noteNotRestorable(change);
  return withErrno(rawSyscall(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

/// Memory and other things that belong to the process.
long modelProcessCall(long number, const long* a) {
  switch (number) {
  case SYS_mmap:
    return reinterpret_cast<long>(mmap(pointer<void>(a[0]), static_cast<size_t>(a[1]),
                                       static_cast<int>(a[2]), static_cast<int>(a[3]),
                                       static_cast<int>(a[4]), a[5]));
  case SYS_munmap:
    return munmap(pointer<void>(a[0]), static_cast<size_t>(a[1]));
  case SYS_mremap:
    return reinterpret_cast<long>(mremap(pointer<void>(a[0]), static_cast<size_t>(a[1]),
                                         static_cast<size_t>(a[2]), static_cast<int>(a[3]),
                                         pointer<void>(a[4])));
  case SYS_mprotect:
    return mprotect(pointer<void>(a[0]), static_cast<size_t>(a[1]), static_cast<int>(a[2]));
  case SYS_madvise:
    return madvise(pointer<void>(a[0]), static_cast<size_t>(a[1]), static_cast<int>(a[2]));
  case SYS_mlockall:
    return mlockall(static_cast<int>(a[0]));
  case SYS_munlockall:
    return munlockall();
  case SYS_prctl:
    return prctl(static_cast<int>(a[0]), a[1], a[2], a[3], a[4]);
  default:
    return callKernel(number, a);
  }
}

} // namespace

long heddle::rt::modelSystemCall(long number, const long* a) {
  auto clock = static_cast<clockid_t>(a[0]);
  auto descriptor = static_cast<int>(a[0]);
  switch (number) {
  case SYS_futex:
    return futex(a);
  case SYS_gettid:
    return gettid();
  case SYS_sched_yield:
    return sched_yield();
  case SYS_tgkill:
    return signalThread(a[1], static_cast<int>(a[2]));
  case SYS_tkill:
    return signalThread(a[0], static_cast<int>(a[1]));
  case SYS_nanosleep:
    return nanosleep(pointer<timespec>(a[0]), pointer<timespec>(a[1]));
  case SYS_clock_nanosleep:
    return withErrno(-clock_nanosleep(clock, static_cast<int>(a[1]), pointer<timespec>(a[2]),
                                      pointer<timespec>(a[3])));
  case SYS_clock_gettime:
    return clock_gettime(clock, pointer<timespec>(a[1]));
  case SYS_gettimeofday:
    return gettimeofday(pointer<timeval>(a[0]), nullptr);
  case SYS_time:
    return time(pointer<time_t>(a[0]));
  case SYS_getrandom:
    return getrandom(pointer<void>(a[0]), static_cast<size_t>(a[1]), static_cast<unsigned>(a[2]));
  case SYS_exit_group:
    _exit(static_cast<int>(a[0]));
  case SYS_read:
    return read(descriptor, pointer<void>(a[1]), static_cast<size_t>(a[2]));
  case SYS_write:
    return write(descriptor, pointer<void>(a[1]), static_cast<size_t>(a[2]));
  case SYS_poll:
    return poll(pointer<pollfd>(a[0]), static_cast<nfds_t>(a[1]), static_cast<int>(a[2]));
  case SYS_epoll_wait:
    return epoll_wait(descriptor, pointer<epoll_event>(a[1]), static_cast<int>(a[2]),
                      static_cast<int>(a[3]));
  case SYS_wait4:
    return wait4(static_cast<pid_t>(a[0]), pointer<int>(a[1]), static_cast<int>(a[2]),
                 pointer<rusage>(a[3]));
  case SYS_fork:
    return fork();
  case SYS_clone:
  case SYS_clone3:
  case SYS_vfork:
    loseControl("the program calls the kernel to make a thread or a process; use pthread_create, "
                "fork or posix_spawn");
  case SYS_exit:
    loseControl("a thread ends itself by the exit system call; use pthread_exit");
  default:
    return modelProcessCall(number, a);
  }
}

HEDDLE_INTERPOSE long syscall(long number, ...) {
  long a[6];
  va_list list;
  va_start(list, number);
  for (long& argument : a)
    argument = va_arg(list, long);
  va_end(list);
  if (!controlled())
    return withErrno(rawSyscall(number, a[0], a[1], a[2], a[3], a[4], a[5]));
  return modelSystemCall(number, a);
}
