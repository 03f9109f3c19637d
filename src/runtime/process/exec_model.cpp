#include "runtime/base/real.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler.h"

#include <stdarg.h>
#include <unistd.h>

/// exec in the program itself ends what heddle can see. In the child of a fork it is free.

using namespace heddle::rt;

namespace {

void refuseExec() {
  if (controlled())
    loseControl("the program replaces itself (exec); run the program that it starts");
}

constexpr int kMaxArguments = 4096;

/// The arguments of execl and its kin as an array; `environment` if one follows.
void readList(va_list list, const char* first, char** arguments, char* const** environment) {
  int count = 0;
  arguments[count++] = const_cast<char*>(first);
  while (arguments[count - 1] && count < kMaxArguments - 1)
    arguments[count++] = va_arg(list, char*);
  arguments[count] = nullptr;
  if (environment)
    *environment = va_arg(list, char* const*);
}

} // namespace

HEDDLE_INTERPOSE int execve(const char* path, char* const* arguments, char* const* environment) {
  refuseExec();
  return real::execve(path, arguments, environment);
}

HEDDLE_INTERPOSE int execv(const char* path, char* const* arguments) {
  return execve(path, arguments, environ);
}

HEDDLE_INTERPOSE int execvpe(const char* file, char* const* arguments, char* const* environment) {
  refuseExec();
  return real::execvpe(file, arguments, environment);
}

HEDDLE_INTERPOSE int execvp(const char* file, char* const* arguments) {
  return execvpe(file, arguments, environ);
}

HEDDLE_INTERPOSE int fexecve(int fd, char* const* arguments, char* const* environment) {
  refuseExec();
  return real::fexecve(fd, arguments, environment);
}

HEDDLE_INTERPOSE int execl(const char* path, const char* first, ...) {
  char* arguments[kMaxArguments];
  va_list list;
  va_start(list, first);
  readList(list, first, arguments, nullptr);
  va_end(list);
  return execve(path, arguments, environ);
}

HEDDLE_INTERPOSE int execlp(const char* file, const char* first, ...) {
  char* arguments[kMaxArguments];
  va_list list;
  va_start(list, first);
  readList(list, first, arguments, nullptr);
  va_end(list);
  return execvpe(file, arguments, environ);
}

HEDDLE_INTERPOSE int execle(const char* path, const char* first, ...) {
  char* arguments[kMaxArguments];
  char* const* environment = nullptr;
  va_list list;
  va_start(list, first);
  readList(list, first, arguments, &environment);
  va_end(list);
  return execve(path, arguments, environment);
}
