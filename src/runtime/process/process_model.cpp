#include "runtime/process/process_model.h"

#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/base/restorable.h"
#include "runtime/core/cancellation.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler_entry.h"
#include "runtime/io/io_wait.h"
#include "runtime/signals/signal_actions.h"
#include "runtime/signals/signal_model.h"

#include <errno.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace heddle;
using namespace heddle::rt;

namespace {

struct ChildWait {
  idtype_t type;
  id_t id;
  int options;
};

/// Whether waiting would not block now; takes nothing away.
bool childReady(void* context) {
  auto& wait = *static_cast<ChildWait*>(context);
  siginfo_t info{};
  int events = wait.options & (WEXITED | WSTOPPED | WCONTINUED | __WALL | __WCLONE | __WNOTHREAD);
  long result =
      rawSyscall(SYS_waitid, wait.type, wait.id, asLong(&info), events | WNOHANG | WNOWAIT, 0);
  return result != 0 || info.si_pid != 0;
}

/// 0, or -EINTR.
long awaitChild(ChildWait& child) {
  while (!childReady(&child)) {
    IoWait wait;
    wait.attempt = childReady;
    wait.context = &child;
    wait.reach = Reach::Outside;
    if (waitForIo(wait, kNoDeadline) == IoOutcome::Interrupted)
      return -EINTR;
  }
  return 0;
}

ChildWait childWaitOf(pid_t pid, int options) {
  int events = WEXITED | (options & (WSTOPPED | WCONTINUED | __WALL | __WCLONE | __WNOTHREAD));
  if (pid > 0)
    return {P_PID, static_cast<id_t>(pid), events};
  if (pid == -1)
    return {P_ALL, 0, events};
  return {P_PGID, static_cast<id_t>(pid == 0 ? 0 : -pid), events};
}

long modelWait4(pid_t pid, int* status, int options, rusage* usage) {
  point(EventKind::Io, nullptr);
  cancellationPoint();
  if (!(options & WNOHANG)) {
    ChildWait child = childWaitOf(pid, options);
    if (long error = awaitChild(child))
      return error;
  }
  int copy = 0;
  long result = rawSyscall(SYS_wait4, pid, asLong(&copy), options, asLong(usage));
  if (result > 0 && status)
    *status = copy;
  if (result > 0 && (WIFEXITED(copy) || WIFSIGNALED(copy)))
    childReaped();
  if (result == 0)
    noteFutileAttempt(nullptr);
  return result;
}

int started(int error) {
  if (error == 0 && controlled()) {
    noteNotRestorable("a child process");
    childStarted();
  }
  return error;
}

using SpawnFunction = int (*)(pid_t*, const char*, const posix_spawn_file_actions_t*,
                              const posix_spawnattr_t*, char* const*, char* const*);

int spawn(SpawnFunction function, pid_t* pid, const char* file,
          const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
          char* const* arguments, char* const* environment) {
  if (controlled())
    point(EventKind::Io, nullptr);
  return started(function(pid, file, actions, attributes, arguments, environment));
}

int waitStatus(pid_t child) {
  int status = -1;
  long result;
  do
    result = modelWait4(child, &status, 0, nullptr);
  while (result == -EINTR);
  return result < 0 ? -1 : status;
}

} // namespace

HEDDLE_INTERPOSE pid_t fork() {
  if (!controlled())
    return real::fork();
  point(EventKind::Io, nullptr);
  pid_t child = real::fork();
  if (child == 0) {
    abandonControl();
    makeSignalsReal();
    return 0;
  }
  started(child > 0 ? 0 : errno);
  return child;
}

/// The child of a vfork borrows its parent's stack until it execs; a fork is safe and slower.
HEDDLE_INTERPOSE pid_t vfork() { return fork(); }

HEDDLE_INTERPOSE pid_t _Fork() { return fork(); }

HEDDLE_INTERPOSE int posix_spawn(pid_t* pid, const char* path,
                                 const posix_spawn_file_actions_t* actions,
                                 const posix_spawnattr_t* attributes, char* const* arguments,
                                 char* const* environment) {
  return spawn(real::posix_spawn, pid, path, actions, attributes, arguments, environment);
}

HEDDLE_INTERPOSE int posix_spawnp(pid_t* pid, const char* file,
                                  const posix_spawn_file_actions_t* actions,
                                  const posix_spawnattr_t* attributes, char* const* arguments,
                                  char* const* environment) {
  return spawn(real::posix_spawnp, pid, file, actions, attributes, arguments, environment);
}

HEDDLE_INTERPOSE int system(const char* command) {
  if (!controlled() || !command)
    return real::system(command);
  char shell[] = "sh";
  char option[] = "-c";
  char* arguments[] = {shell, option, const_cast<char*>(command), nullptr};
  pid_t child;
  int error = posix_spawn(&child, "/bin/sh", nullptr, nullptr, arguments, environ);
  if (error != 0)
    return static_cast<int>(withErrno(-error));
  return waitStatus(child);
}

HEDDLE_INTERPOSE FILE* popen(const char* command, const char* mode) {
  if (controlled())
    point(EventKind::Io, nullptr);
  FILE* file = real::popen(command, mode);
  if (controlled() && file) {
    started(0);
    descriptorOpened(fileno(file), DescriptorKind::Unknown);
  }
  return file;
}

HEDDLE_INTERPOSE int pclose(FILE* file) {
  if (!controlled())
    return real::pclose(file);
  point(EventKind::Io, nullptr);
  descriptorClosed(fileno(file));
  int status = real::pclose(file);
  if (status != -1)
    childReaped();
  return status;
}

HEDDLE_INTERPOSE pid_t wait4(pid_t pid, int* status, int options, rusage* usage) {
  if (!controlled())
    return real::wait4(pid, status, options, usage);
  return static_cast<pid_t>(withErrno(modelWait4(pid, status, options, usage)));
}

HEDDLE_INTERPOSE pid_t waitpid(pid_t pid, int* status, int options) {
  return wait4(pid, status, options, nullptr);
}

HEDDLE_INTERPOSE pid_t wait3(int* status, int options, rusage* usage) {
  return wait4(-1, status, options, usage);
}

HEDDLE_INTERPOSE pid_t wait(int* status) { return wait4(-1, status, 0, nullptr); }

HEDDLE_INTERPOSE int waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  if (!controlled())
    return real::waitid(type, id, info, options);
  point(EventKind::Io, nullptr);
  cancellationPoint();
  ChildWait child{type, id, options};
  if (!(options & WNOHANG) && awaitChild(child) != 0)
    return static_cast<int>(withErrno(-EINTR));
  siginfo_t copy{};
  long result = rawSyscall(SYS_waitid, type, id, asLong(&copy), options, 0);
  if (result == 0 && info)
    *info = copy;
  bool gone =
      copy.si_code == CLD_EXITED || copy.si_code == CLD_KILLED || copy.si_code == CLD_DUMPED;
  if (result == 0 && copy.si_pid != 0 && gone && !(options & WNOWAIT))
    childReaped();
  return static_cast<int>(withErrno(result));
}

HEDDLE_INTERPOSE int daemon(int keepDirectory, int keepDescriptors) {
  if (controlled())
    loseControl("the program goes into the background (daemon); run it in the foreground");
  return real::daemon(keepDirectory, keepDescriptors);
}

HEDDLE_INTERPOSE int clone(int (*function)(void*), void* stack, int flags, void* argument, ...) {
  if (controlled())
    loseControl("the program makes threads or processes by clone; use pthread_create or fork");
  va_list list;
  va_start(list, argument);
  auto* parentId = va_arg(list, pid_t*);
  auto* tls = va_arg(list, void*);
  auto* childId = va_arg(list, pid_t*);
  va_end(list);
  return real::clone(function, stack, flags, argument, parentId, tls, childId);
}
