#include "real.h"

#include "raw_syscall.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/syscall.h>

namespace heddle::rt::real {

#define HEDDLE_REAL(result, name, arguments) result(*name) arguments = nullptr;
#include "real.def"
#undef HEDDLE_REAL

namespace {

void* find(const char* name) {
  void* function = dlsym(RTLD_NEXT, name);
  if (function)
    return function;
  const char text[] = "heddle: libc has no function ";
  rawSyscall(SYS_write, 2, asLong(text), sizeof text - 1);
  rawSyscall(SYS_write, 2, asLong(name), static_cast<long>(strlen(name)));
  const char advice[] = "; glibc 2.36 or newer is expected, linked dynamically\n";
  rawSyscall(SYS_write, 2, asLong(advice), sizeof advice - 1);
  rawSyscall(SYS_exit_group, 3);
  __builtin_unreachable();
}

} // namespace

void resolve() {
#define HEDDLE_REAL(result, name, arguments)                                                       \
  name = reinterpret_cast<result(*) arguments>(find(#name));
#include "real.def"
#undef HEDDLE_REAL
}

} // namespace heddle::rt::real
