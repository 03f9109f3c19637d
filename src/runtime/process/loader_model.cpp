#include "runtime/base/real.h"
#include "runtime/base/restorable.h"
#include "runtime/core/scheduler.h"
#include "runtime/process/interposition.h"
#include "runtime/process/module_fini.h"
#include "runtime/sync/mutex_model.h"
#include "runtime/trace/closed_module.h"
#include "runtime/unseen/dispatched_calls.h"

#include <dlfcn.h>
#include <pthread.h>

/// dlopen, dlclose and dlsym. The loader has one lock, which it holds while constructors and
/// destructors of the libraries run: a thread that is switched away in one would make everybody
/// else who comes to the loader wait in the kernel for ever, and what a constructor has written is
/// ordered before what another thread does with the library that it has opened, too. So the model
/// takes a lock of its own first.

extern "C" const char __executable_start[] __attribute__((visibility("hidden")));
extern "C" const char _end[] __attribute__((visibility("hidden")));

using namespace heddle::rt;

namespace {

uint32_t closing = 0;
pthread_mutex_t loaderMutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/// The loader looks whom it returns to (RUNPATH, $ORIGIN): for the executable that may be the
/// runtime, which is part of it; what libraries call has to end in a jump.
bool isInExecutable(const void* caller) { return caller >= __executable_start && caller < _end; }

/// Until nobody else is in the loader. Nothing is switched between this and the call that follows.
void waitForLoader() {
  while (loaderMutex.__data.__owner != 0 && loaderMutex.__data.__owner != ownerId()) {
    pthread_mutex_lock(&loaderMutex);
    pthread_mutex_unlock(&loaderMutex);
  }
}

void* openModelled(const char* file, int mode) {
  pthread_mutex_lock(&loaderMutex);
  void* library = real::dlopen(file, mode);
  findDispatchedCode();
  dispatchCalls();
  pthread_mutex_unlock(&loaderMutex);
  return library;
}

int closeCounted(void* library) {
  ++closing;
  int result = real::dlclose(library);
  --closing;
  return result;
}

} // namespace

bool heddle::rt::closesLibrary() { return closing != 0; }

HEDDLE_INTERPOSE void* dlopen(const char* file, int mode) {
  if (controlled() && file) {
    noteProcessChange("dlopen");
    noteLoadedModule();
    if (isInExecutable(__builtin_return_address(0)))
      return openModelled(file, mode);
    waitForLoader();
  }
  [[clang::musttail]] return real::dlopen(file, mode);
}

HEDDLE_INTERPOSE int dlclose(void* library) {
  if (!controlled())
    return closeCounted(library);
  noteProcessChange("dlclose");
  pthread_mutex_lock(&loaderMutex);
  int result = closeCounted(library);
  pthread_mutex_unlock(&loaderMutex);
  return result;
}

/// What follows the executable's own `send` is libc's, which is the runtime's here. (For libraries
/// it is what the loader says.)
HEDDLE_INTERPOSE void* dlsym(void* library, const char* name) {
  if (!real::dlopen) // sanitizers ask before the runtime has started, and use what they get
    real::resolve();
  if (library == RTLD_NEXT && isInExecutable(__builtin_return_address(0)))
    if (void* own = ownFunction(name))
      return own;
  if (controlled())
    waitForLoader();
  [[clang::musttail]] return real::dlsym(library, name);
}
