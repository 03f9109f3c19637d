#include "runtime/base/real.h"

#include "runtime/base/raw_syscall.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/syscall.h>

namespace heddle::rt::real {

#define HEDDLE_REAL(result, name, arguments) result(*name) arguments = nullptr;
#include "runtime/base/real.def"
#undef HEDDLE_REAL

void* (*dlsym)(void*, const char*) = nullptr;

void findLoader() {
  // The runtime replaces dlsym, too.
  if (!dlsym)
    dlsym = reinterpret_cast<decltype(dlsym)>(dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5"));
}

void* find(const char* name) {
  findLoader();
  return dlsym ? dlsym(RTLD_NEXT, name) : nullptr;
}

namespace {

void* require(const char* name) {
  void* function = find(name);
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
  name = reinterpret_cast<result(*) arguments>(require(#name));
#include "runtime/base/real.def"
#undef HEDDLE_REAL
}

} // namespace heddle::rt::real
