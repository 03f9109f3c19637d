#include "runtime/base/arena.h"
#include "runtime/base/real.h"
#include "runtime/sync/mutex_model.h"
#include "runtime/threads/thread_keys.h"
#include "runtime/threads/thread_model.h"

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>

/// How a thread runs and ends. pthread_exit and cancellation unwind by glibc's own code, which
/// stops at the innermost unwind buffer that the thread has registered. glibc's start_thread
/// registers one for real threads; the model does the same at the entry of a fiber.
extern "C" {
void __pthread_register_cancel(__pthread_unwind_buf_t* buffer);
void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer);
__attribute__((returns_twice)) int __sigsetjmp(__jmp_buf_tag* buffer, int saveMask) noexcept;
}

namespace heddle::rt {

namespace {

/// One registered destructor of a thread_local object.
struct TlsDestructor {
  void (*destroy)(void*);
  void* object;
  TlsDestructor* next;
};

TlsDestructor* unusedDestructors = nullptr;
bool mainCanLand = false;

TlsDestructor* newDestructor() {
  TlsDestructor* entry = unusedDestructors;
  if (!entry)
    return static_cast<TlsDestructor*>(runAllocate(sizeof(TlsDestructor)));
  unusedDestructors = entry->next;
  return entry;
}

bool everybodyElseFinished() {
  for (uint32_t i = 0; i < threadCount(); ++i) {
    Fiber* fiber = fiberAt(static_cast<ThreadIndex>(i));
    if (fiber != self() && !fiber->finished)
      return false;
  }
  return true;
}

/// After main has left by pthread_exit the last thread ends the process, as in glibc.
void endThread() {
  Fiber* fiber = self();
  fiber->cancelBuffer = nullptr;
  runThreadDestructors();
  runKeyDestructors();
  abandonRobustMutexes();
  point(EventKind::ThreadExit, fiber);
  bool mainHasLeft = fiber->index() == ThreadIndex::Main || fiberAt(ThreadIndex::Main)->finished;
  if (mainHasLeft && everybodyElseFinished())
    exit(0);
}

} // namespace

void runThreadDestructors() {
  Fiber* fiber = self();
  while (auto* entry = static_cast<TlsDestructor*>(fiber->tlsDestructors)) {
    fiber->tlsDestructors = entry->next;
    void (*destroy)(void*) = entry->destroy;
    void* object = entry->object;
    entry->next = unusedDestructors;
    unusedDestructors = entry;
    destroy(object);
  }
}

void* runThread(Fiber* fiber) {
  __pthread_unwind_buf_t landing;
  if (__sigsetjmp(reinterpret_cast<__jmp_buf_tag*>(landing.__cancel_jmp_buf), 0) == 0) {
    __pthread_register_cancel(&landing);
    fiber->cancelBuffer = &landing;
    fiber->result = fiber->start(fiber->argument);
  }
  endThread();
  return fiber->result;
}

int runMain(MainFunction main, int argc, char** argv, char** environment) {
  __pthread_unwind_buf_t landing;
  if (__sigsetjmp(reinterpret_cast<__jmp_buf_tag*>(landing.__cancel_jmp_buf), 0) == 0) {
    __pthread_register_cancel(&landing);
    self()->cancelBuffer = &landing;
    mainCanLand = true;
    int status = main(argc, argv, environment);
    __pthread_unregister_cancel(&landing);
    self()->cancelBuffer = nullptr;
    mainCanLand = false;
    return status;
  }
  endThread();
  finishFiber();
}

void leaveThread(void* result) {
  Fiber* fiber = self();
  fiber->result = result;
  fiber->cancelBuffer = nullptr; // on its way out: no second cancellation
  if (fiber->index() != ThreadIndex::Main || mainCanLand) {
    real::pthread_exit(result);
    __builtin_unreachable();
  }
  endThread();
  finishFiber();
}

} // namespace heddle::rt

using namespace heddle::rt;

/// The C++ runtime registers the destructor of a thread_local object here.
HEDDLE_INTERPOSE int __cxa_thread_atexit_impl(void (*destroy)(void*), void* object, void* module) {
  if (!controlled())
    return real::__cxa_thread_atexit_impl(destroy, object, module);
  Fiber* fiber = self();
  TlsDestructor* entry = newDestructor();
  *entry = {destroy, object, static_cast<TlsDestructor*>(fiber->tlsDestructors)};
  fiber->tlsDestructors = entry;
  return 0;
}
