#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/base/restorable.h"
#include "runtime/core/scheduler.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/// Calls that ask about the process or change it, by their arguments. The others are in
/// real_file_changes.def.

using namespace heddle;
using namespace heddle::rt;

namespace {

/// Options that only ask, or whose effect ends with what the run has mapped.
bool changesNothing(int option) {
  switch (option) {
  case PR_GET_PDEATHSIG:
  case PR_GET_DUMPABLE:
  case PR_GET_UNALIGN:
  case PR_GET_KEEPCAPS:
  case PR_GET_FPEMU:
  case PR_GET_FPEXC:
  case PR_GET_TIMING:
  case PR_GET_ENDIAN:
  case PR_GET_SECCOMP:
  case PR_CAPBSET_READ:
  case PR_GET_TSC:
  case PR_GET_SECUREBITS:
  case PR_GET_TIMERSLACK:
  case PR_MCE_KILL_GET:
  case PR_GET_CHILD_SUBREAPER:
  case PR_GET_NO_NEW_PRIVS:
  case PR_GET_TID_ADDRESS:
  case PR_GET_THP_DISABLE:
  case PR_GET_SPECULATION_CTRL:
  case PR_GET_IO_FLUSHER:
  case PR_SET_VMA:
    return true;
  default:
    return false;
  }
}

/// The name of the running thread: all of them are one thread for the kernel.
int nameThread(const char* name) {
  strncpy(self()->name, name, sizeof self()->name - 1);
  return 0;
}

int prlimitNoted(pid_t pid, int resource, const void* limit, void* old) {
  if (controlled() && limit)
    noteProcessChange("prlimit");
  return static_cast<int>(
      withErrno(rawSyscall(SYS_prlimit64, pid, resource, asLong(limit), asLong(old))));
}

} // namespace

HEDDLE_INTERPOSE int prctl(int option, ...) {
  long a[4];
  va_list list;
  va_start(list, option);
  for (long& argument : a)
    argument = va_arg(list, long);
  va_end(list);
  if (controlled() && option == PR_SET_NAME)
    return nameThread(reinterpret_cast<const char*>(a[0]));
  if (controlled() && option == PR_GET_NAME && self()->name[0] != 0) {
    memcpy(reinterpret_cast<char*>(a[0]), self()->name, sizeof self()->name);
    return 0;
  }
  bool asks = changesNothing(option) || option == PR_GET_NAME;
  if (controlled() && !asks)
    noteProcessChange(option == PR_SET_SECCOMP ? "a seccomp filter (prctl)" : "prctl");
  return static_cast<int>(withErrno(rawSyscall(SYS_prctl, option, a[0], a[1], a[2], a[3])));
}

HEDDLE_INTERPOSE int prlimit(pid_t pid, __rlimit_resource resource, const rlimit* limit,
                             rlimit* old) noexcept {
  return prlimitNoted(pid, resource, limit, old);
}

HEDDLE_INTERPOSE int prlimit64(pid_t pid, __rlimit_resource resource, const rlimit64* limit,
                               rlimit64* old) noexcept {
  return prlimitNoted(pid, resource, limit, old);
}

HEDDLE_INTERPOSE int personality(unsigned long persona) noexcept {
  constexpr unsigned long kAsk = 0xffffffff;
  if (controlled() && persona != kAsk)
    noteProcessChange("personality");
  return static_cast<int>(withErrno(rawSyscall(SYS_personality, static_cast<long>(persona))));
}

/// The runtime has mapped far more than the machine has: locked, all of it would be there at once.
/// What a program sees of locked memory is only that it is fast.
HEDDLE_INTERPOSE int mlockall(int flags) noexcept {
  if (!controlled())
    return static_cast<int>(withErrno(rawSyscall(SYS_mlockall, flags)));
  constexpr int kKnown = MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT;
  bool valid = (flags & ~kKnown) == 0 && (flags & (MCL_CURRENT | MCL_FUTURE)) != 0;
  return static_cast<int>(withErrno(valid ? 0 : -EINVAL));
}

HEDDLE_INTERPOSE int munlockall() noexcept {
  return controlled() ? 0 : static_cast<int>(withErrno(rawSyscall(SYS_munlockall)));
}
