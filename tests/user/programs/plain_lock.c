/* A library that heddle does not see: a lock of its own, a worker of its own, and functions that
   order nothing. */
#include <pthread.h>
#include <sched.h>

static int taken;

void plain_lock(void) {
  while (__atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE))
    sched_yield();
}

void plain_unlock(void) { __atomic_store_n(&taken, 0, __ATOMIC_RELEASE); }

int plain_twice(int value) { return 2 * value; }

static struct {
  void (*function)(void *);
  void *argument;
  int done;
} job;

static void *work(void *unused) {
  (void)unused;
  job.function(job.argument);
  __atomic_store_n(&job.done, 1, __ATOMIC_RELEASE);
  return 0;
}

void plain_start(void (*function)(void *), void *argument) {
  pthread_t thread;
  job.function = function;
  job.argument = argument;
  pthread_create(&thread, 0, work, 0);
  pthread_detach(thread);
}

void plain_wait(void) {
  while (!__atomic_load_n(&job.done, __ATOMIC_ACQUIRE))
    sched_yield();
}
