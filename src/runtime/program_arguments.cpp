#include "program_arguments.h"

#include "arena.h"
#include "raw_syscall.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::rt {

namespace {

const char* const kOwnVariables[] = {"HEDDLE_BATCH_FD=", "HEDDLE_SELFTEST=", "LD_BIND_NOW=heddle"};

bool isOwn(const char* variable) {
  for (const char* name : kOwnVariables)
    if (strncmp(variable, name, strlen(name)) == 0)
      return true;
  return false;
}

size_t count(char** list) {
  size_t n = 0;
  while (list[n])
    ++n;
  return n;
}

/// Copies strings downwards from the end of the stack.
class Writer {
public:
  explicit Writer(uintptr_t end) : next_(end) {}

  char* text(const char* source) {
    size_t bytes = strlen(source) + 1;
    next_ -= bytes;
    return static_cast<char*>(memcpy(reinterpret_cast<void*>(next_), source, bytes));
  }
  char** array(size_t entries) {
    next_ = (next_ - entries * sizeof(char*)) & ~uintptr_t{15};
    return reinterpret_cast<char**>(next_);
  }
  uintptr_t top() const { return next_ & ~uintptr_t{63}; }

private:
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
  size_t variables = count(envp);
  char** environment = writer.array(variables + 1);
  char** values = writer.array(static_cast<size_t>(argc) + 1);
  size_t kept = 0;
  for (size_t i = 0; i < variables; ++i)
    if (!isOwn(envp[i]))
      environment[kept++] = writer.text(envp[i]);
  for (int i = 0; i < argc; ++i)
    values[i] = writer.text(argv[i]);
  result.count = argc;
  result.values = values;
  result.environment = environment;
  result.stackTop = writer.top();
  environ = environment;
  return result;
}

} // namespace heddle::rt
