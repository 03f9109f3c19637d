#include "runtime/process/interposition.h"

#include "runtime/base/real.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern "C" {

/// One name that the runtime defines; the array ends with a null name.
struct HeddleInterposed {
  const char* name;
  void* own;    ///< the runtime's definition
  void* linked; ///< the definition that the program was linked to
};

/// One function of libc that the runtime calls.
struct HeddleLibcSlot {
  const char* name;
  void** function;
};

extern const HeddleInterposed heddle_interposed[] __attribute__((visibility("hidden")));
extern const HeddleLibcSlot heddle_libc_slots[] __attribute__((visibility("hidden")));
extern const char __executable_start[];
extern const char _end[];

} // extern "C"

namespace heddle::rt {

namespace {

/// Where the runtime's definition does not win, threads block or run, or memory is used, behind its
/// back. Everything else (send, time, raise …) is the program's own business once it defines it.
constexpr const char* kIndispensable[] = {"pthread_create",
                                          "pthread_join",
                                          "pthread_detach",
                                          "pthread_exit",
                                          "pthread_mutex_",
                                          "pthread_cond_",
                                          "pthread_rwlock_",
                                          "pthread_spin_",
                                          "pthread_barrier",
                                          "pthread_key_",
                                          "pthread_once",
                                          "pthread_cancel",
                                          "sem_",
                                          "mtx_",
                                          "cnd_",
                                          "thrd_",
                                          "tss_",
                                          "call_once",
                                          "__cxa_guard_",
                                          "__cxa_thread_atexit_impl",
                                          "malloc",
                                          "calloc",
                                          "realloc",
                                          "free",
                                          "memalign",
                                          "aligned_alloc",
                                          "posix_memalign",
                                          "valloc",
                                          "pvalloc"};

bool startsWith(const char* text, const char* prefix) {
  while (*prefix && *text == *prefix)
    ++text, ++prefix;
  return *prefix == 0;
}

bool isIndispensable(const char* name) {
  for (const char* prefix : kIndispensable)
    if (startsWith(name, prefix))
      return true;
  return false;
}

class Sentence {
public:
  void add(const char* text) {
    while (*text && used_ + 1 < sizeof text_)
      text_[used_++] = *text++;
  }
  const char* text() const { return text_; }

private:
  char text_[512] = {};
  size_t used_ = 0;
};

/// In .bss: nothing of the runtime's memory is there yet.
Sentence problem;

const char* ownDefinition(const char* name) {
  problem.add("the program defines its own ");
  problem.add(name);
  problem.add(", which heddle has to provide to control threads and memory: leave the object or "
              "archive that "
              "defines it out of this build");
  return problem.text();
}

bool inExecutable(const void* function) {
  return function >= __executable_start && function < _end;
}

} // namespace

void bindLibcCalls() {
  for (const HeddleLibcSlot* slot = heddle_libc_slots; slot->name; ++slot)
    if (!*slot->function || inExecutable(*slot->function))
      if (void* function = real::find(slot->name))
        *slot->function = function;
}

void* ownFunction(const char* name) {
  for (const HeddleInterposed* each = heddle_interposed; each->name; ++each)
    if (strcmp(each->name, name) == 0)
      return each->own;
  return nullptr;
}

const char* interpositionProblem() {
  for (const HeddleInterposed* each = heddle_interposed; each->name; ++each)
    if (each->linked != each->own && isIndispensable(each->name))
      return ownDefinition(each->name);
  for (const HeddleInterposed* each = heddle_interposed; each->name; ++each)
    if (startsWith(each->name, "pthread_create") &&
        real::dlsym(RTLD_DEFAULT, each->name) != each->linked)
      return "the runtime's functions are hidden from shared libraries; link without a version "
             "script that makes everything local and without --exclude-libs,ALL";
  return nullptr;
}

} // namespace heddle::rt
