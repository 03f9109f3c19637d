#include "runtime/sync/c11_model.h"

#include "runtime/base/arena.h"
#include "runtime/base/real.h"
#include "runtime/core/scheduler.h"

#include <errno.h>
#include <sched.h>
#include <threads.h>
#include <time.h>

using namespace heddle;
using namespace heddle::rt;

namespace {

/// glibc's mapping of error numbers.
int codeOf(int error) {
  switch (error) {
  case 0:
    return thrd_success;
  case ENOMEM:
    return thrd_nomem;
  case ETIMEDOUT:
    return thrd_timedout;
  case EBUSY:
    return thrd_busy;
  default:
    return thrd_error;
  }
}

pthread_mutex_t* mutexOf(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* conditionOf(cnd_t* condition) {
  return reinterpret_cast<pthread_cond_t*>(condition);
}

/// A C11 thread function returns int.
struct Start {
  thrd_start_t function;
  void* argument;
  Start* next; ///< while it is not used
};

Start* unusedStarts = nullptr;

Start* newStart() {
  Start* start = unusedStarts;
  if (!start)
    return static_cast<Start*>(runAllocate(sizeof(Start)));
  unusedStarts = start->next;
  return start;
}

void recycleStart(Start* start) {
  start->next = unusedStarts;
  unusedStarts = start;
}

void* resultOf(int result) { return reinterpret_cast<void*>(static_cast<intptr_t>(result)); }

void* enter(void* argument) {
  auto* start = static_cast<Start*>(argument);
  Start call = *start;
  recycleStart(start);
  return resultOf(call.function(call.argument));
}

} // namespace

HEDDLE_INTERPOSE int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  if (!controlled())
    return real::thrd_create(thread, function, argument);
  Start* start = newStart();
  *start = {function, argument, nullptr};
  int error = pthread_create(thread, nullptr, enter, start);
  if (error != 0)
    recycleStart(start);
  return codeOf(error);
}

HEDDLE_INTERPOSE int thrd_join(thrd_t thread, int* result) {
  void* value = nullptr;
  int error = pthread_join(thread, &value);
  if (error == 0 && result)
    *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  return codeOf(error);
}

HEDDLE_INTERPOSE int thrd_detach(thrd_t thread) { return codeOf(pthread_detach(thread)); }

HEDDLE_INTERPOSE void thrd_exit(int result) { pthread_exit(resultOf(result)); }

HEDDLE_INTERPOSE void thrd_yield() { sched_yield(); }

/// C11: 0, -1 when a signal came, another negative number for other errors.
HEDDLE_INTERPOSE int thrd_sleep(const timespec* duration, timespec* remaining) {
  int error = clock_nanosleep(CLOCK_REALTIME, 0, duration, remaining);
  if (error == 0)
    return 0;
  return error == EINTR ? -1 : -2;
}

HEDDLE_INTERPOSE int mtx_lock(mtx_t* mutex) { return codeOf(pthread_mutex_lock(mutexOf(mutex))); }

HEDDLE_INTERPOSE int mtx_trylock(mtx_t* mutex) {
  return codeOf(pthread_mutex_trylock(mutexOf(mutex)));
}

HEDDLE_INTERPOSE int mtx_timedlock(mtx_t* mutex, const timespec* time) {
  return codeOf(pthread_mutex_timedlock(mutexOf(mutex), time));
}

HEDDLE_INTERPOSE int mtx_unlock(mtx_t* mutex) {
  return codeOf(pthread_mutex_unlock(mutexOf(mutex)));
}

HEDDLE_INTERPOSE void mtx_destroy(mtx_t* mutex) { pthread_mutex_destroy(mutexOf(mutex)); }

HEDDLE_INTERPOSE int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return codeOf(pthread_cond_wait(conditionOf(condition), mutexOf(mutex)));
}

HEDDLE_INTERPOSE int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* time) {
  return codeOf(pthread_cond_timedwait(conditionOf(condition), mutexOf(mutex), time));
}

HEDDLE_INTERPOSE int cnd_signal(cnd_t* condition) {
  return codeOf(pthread_cond_signal(conditionOf(condition)));
}

HEDDLE_INTERPOSE int cnd_broadcast(cnd_t* condition) {
  return codeOf(pthread_cond_broadcast(conditionOf(condition)));
}

HEDDLE_INTERPOSE void cnd_destroy(cnd_t* condition) {
  pthread_cond_destroy(conditionOf(condition));
}

HEDDLE_INTERPOSE void call_once(once_flag* flag, void (*routine)()) {
  pthread_once(reinterpret_cast<pthread_once_t*>(flag), routine);
}

HEDDLE_INTERPOSE int tss_create(tss_t* key, tss_dtor_t destructor) {
  return codeOf(pthread_key_create(key, destructor));
}

HEDDLE_INTERPOSE void tss_delete(tss_t key) { pthread_key_delete(key); }
