#include "runtime/base/process_end.h"

#include "runtime/base/raw_syscall.h"

#include <signal.h>
#include <sys/syscall.h>

namespace heddle::rt {

void leaveProcess(int status) {
  rawSyscall(SYS_exit_group, status);
  __builtin_unreachable();
}

void abortForReal() {
  struct {
    void* handler;
    unsigned long flags;
    void* restorer;
    uint64_t mask;
  } defaultAction = {};
  uint64_t none = 0;
  rawSyscall(SYS_rt_sigaction, SIGABRT, asLong(&defaultAction), 0, sizeof none);
  rawSyscall(SYS_rt_sigprocmask, SIG_SETMASK, asLong(&none), 0, sizeof none);
  rawSyscall(SYS_tgkill, rawSyscall(SYS_getpid), rawSyscall(SYS_gettid), SIGABRT);
  leaveProcess(127);
}

} // namespace heddle::rt
