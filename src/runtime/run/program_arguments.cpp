#include "runtime/run/program_arguments.h"

#include "runtime/base/arena.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::rt {

namespace {

const char* const kOwnVariables[] = {
    "HEDDLE_BATCH_FD=", "HEDDLE_SELFTEST=", "HEDDLE_STARTS_READY=", "LD_BIND_NOW=heddle"};

bool isOwn(const char* variable) {
  for (const char* name : kOwnVariables)
    if (strncmp(variable, name, strlen(name)) == 0)
      return true;
  return false;
}

/// How many variables the program gets to see.
size_t countVisible(char** envp) {
  size_t visible = 0;
  for (; *envp; ++envp)
    visible += isOwn(*envp) ? 0 : 1;
  return visible;
}

/// Copies strings downwards from the end of the stack.
class Writer {
public:
  explicit Writer(uintptr_t end) : end_(end), next_(end) {}

  char* text(const char* source) {
    size_t bytes = strlen(source) + 1;
    next_ -= bytes;
    return static_cast<char*>(memcpy(reinterpret_cast<void*>(next_), source, bytes));
  }
  char** array(size_t entries) {
    next_ = (next_ - entries * sizeof(char*)) & ~uintptr_t{15};
    return reinterpret_cast<char**>(next_);
  }
  /// Where main's frames may begin: the same address whatever the texts are, unless they are
  /// longer than one unit. A finding must replay in another environment, and what main keeps on
  /// its stack is known by its address.
  uintptr_t top() const {
    constexpr uintptr_t kUnit = 256 << 10;
    uintptr_t used = end_ - next_;
    return end_ - (used + kUnit - 1) / kUnit * kUnit;
  }

private:
  uintptr_t end_;
  uintptr_t next_;
};

} // namespace

const char* findVariable(char** envp, const char* name) {
  size_t length = strlen(name);
  for (char** variable = envp; *variable; ++variable)
    if (strncmp(*variable, name, length) == 0 && (*variable)[length] == '=')
      return *variable + length + 1;
  return nullptr;
}

ProgramArguments copyArguments(int argc, char** argv, char** envp) {
  Writer writer(kMainStackBase + kMainStackBytes);
  ProgramArguments result;
  char** environment = writer.array(countVisible(envp) + 1);
  char** values = writer.array(static_cast<size_t>(argc) + 1);
  size_t kept = 0;
  for (; *envp; ++envp)
    if (!isOwn(*envp))
      environment[kept++] = writer.text(*envp);
  environment[kept] = nullptr;
  for (int i = 0; i < argc; ++i)
    values[i] = writer.text(argv[i]);
  values[argc] = nullptr;
  result.count = argc;
  result.values = values;
  result.environment = environment;
  result.stackTop = writer.top();
  environ = environment;
  return result;
}

} // namespace heddle::rt
