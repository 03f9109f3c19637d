// Cancellation: at which waits it acts, what is held when cleanup handlers run, state and type.
#include "check.h"

#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t started, never;
static int handled;

static void unlockMutex(void* argument) {
  ++handled;
  CHECK_EQ(pthread_mutex_trylock(&mutex), EBUSY); // had again before this handler
  CHECK_EQ(pthread_mutex_unlock(argument), 0);
}

static void count(void* argument) { ++*(int*)argument; }

static void* inCondition(void* argument) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlockMutex, &mutex);
  sem_post(&started);
  for (;;)
    pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(0);
  return argument;
}

static void* inTimedCondition(void* argument) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlockMutex, &mutex);
  sem_post(&started);
  struct timespec late = afterMillis(CLOCK_REALTIME, 60000);
  pthread_cond_timedwait(&condition, &mutex, &late);
  pthread_cleanup_pop(0);
  return argument;
}

static void* inSemaphore(void* argument) {
  pthread_cleanup_push(count, &handled);
  sem_post(&started);
  sem_wait(&never);
  pthread_cleanup_pop(0);
  return argument;
}

static void* inSleep(void* argument) {
  pthread_cleanup_push(count, &handled);
  sem_post(&started);
  sleepMillis(100000);
  pthread_cleanup_pop(0);
  return argument;
}

static void* inTest(void* argument) {
  pthread_cleanup_push(count, &handled);
  sem_post(&started);
  for (;;) {
    sched_yield();
    pthread_testcancel();
  }
  pthread_cleanup_pop(0);
  return argument;
}

static pthread_t sleeper;

static void* inJoin(void* argument) {
  pthread_cleanup_push(count, &handled);
  sem_post(&started);
  pthread_join(sleeper, NULL);
  pthread_cleanup_pop(0);
  return argument;
}

static void cancelled(void* (*function)(void*)) {
  handled = 0;
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, function, NULL), 0);
  sem_wait(&started);
  CHECK_EQ(pthread_cancel(thread), 0);
  void* result = NULL;
  CHECK_EQ(pthread_join(thread, &result), 0);
  CHECK(result == PTHREAD_CANCELED);
  CHECK_EQ(handled, 1);
  CHECK_EQ(pthread_mutex_trylock(&mutex), 0);
  CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
}

static void* waitQuietly(void* argument) {
  sem_wait(&never);
  return argument;
}

static void joinIsCancelled(void) {
  pthread_create(&sleeper, NULL, waitQuietly, (void*)4);
  cancelled(inJoin);
  sem_post(&never);
  void* result;
  CHECK_EQ(pthread_join(sleeper, &result), 0); // still joinable
  CHECK_EQ(result, 4);
}

static void* disabled(void* argument) {
  int old;
  CHECK_EQ(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old), 0);
  CHECK_EQ(old, PTHREAD_CANCEL_ENABLE);
  CHECK_EQ(pthread_setcancelstate(99, &old), EINVAL);
  sem_post(&started);
  sem_wait(&never); // not ended by the request
  pthread_testcancel();
  ++handled;
  CHECK_EQ(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old), 0);
  CHECK_EQ(old, PTHREAD_CANCEL_DISABLE);
  ++handled;
  pthread_testcancel();
  CHECK(0);
  return argument;
}

static void disabledIsHonoured(void) {
  handled = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, disabled, NULL);
  sem_wait(&started);
  CHECK_EQ(pthread_cancel(thread), 0);
  sleepMillis(2);
  sem_post(&never);
  void* result;
  CHECK_EQ(pthread_join(thread, &result), 0);
  CHECK(result == PTHREAD_CANCELED);
  CHECK_EQ(handled, 2);
}

static void* notAtMutex(void* argument) {
  sem_post(&started);
  pthread_mutex_lock(&mutex); // not a cancellation point
  ++handled;
  pthread_mutex_unlock(&mutex);
  return argument;
}

static void mutexIsNoPoint(void) {
  handled = 0;
  pthread_mutex_lock(&mutex);
  pthread_t thread;
  pthread_create(&thread, NULL, notAtMutex, (void*)6);
  sem_wait(&started);
  pthread_cancel(thread);
  sleepMillis(2);
  pthread_mutex_unlock(&mutex);
  void* result;
  pthread_join(thread, &result);
  CHECK_EQ(result, 6);
  CHECK_EQ(handled, 1);
}

static void* asynchronous(void* argument) {
  pthread_cleanup_push(count, &handled);
  int old;
  CHECK_EQ(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old), 0);
  CHECK_EQ(old, PTHREAD_CANCEL_DEFERRED);
  sem_post(&started);
  for (;;)
    sched_yield();
  pthread_cleanup_pop(0);
  return argument;
}

static void* asynchronousToItself(void* argument) {
  pthread_cleanup_push(count, &handled);
  sem_post(&started);
  CHECK_EQ(pthread_setcanceltype(77, NULL), EINVAL);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  pthread_cancel(pthread_self());
  CHECK(0);
  pthread_cleanup_pop(0);
  return argument;
}

static void* testInHandler(void* argument) {
  (void)argument;
  pthread_testcancel(); // a thread on its way out is not cancelled again
  sem_post(&started);
  sem_wait(&started);
  ++handled;
  return NULL;
}

static void handlerWithPoints(void* argument) { testInHandler(argument); }

static void* cancelledTwice(void* argument) {
  pthread_cleanup_push(handlerWithPoints, NULL);
  sem_post(&started);
  for (;;)
    sleepMillis(10);
  pthread_cleanup_pop(0);
  return argument;
}

static void* quick(void* argument) { return argument; }

static void tooLate(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, quick, (void*)1);
  sleepMillis(5);
  CHECK_EQ(pthread_cancel(thread), 0); // has ended, is not joined
  void* result;
  pthread_join(thread, &result);
  CHECK_EQ(result, 1);
}

int main(void) {
  sem_init(&started, 0, 0);
  sem_init(&never, 0, 0);
  cancelled(inCondition);
  cancelled(inTimedCondition);
  cancelled(inSemaphore);
  cancelled(inSleep);
  cancelled(inTest);
  joinIsCancelled();
  disabledIsHonoured();
  mutexIsNoPoint();
  cancelled(asynchronous);
  cancelled(asynchronousToItself);
  cancelled(cancelledTwice);
  tooLate();
  return 0;
}
