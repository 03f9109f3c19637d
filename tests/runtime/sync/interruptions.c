// Signal handlers that run in a waiting thread: which waits they end, and which go on.
#include "check.h"

#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>

static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static unsigned word;
static int handled;

static void handler(int signal) {
  (void)signal;
  __atomic_add_fetch(&handled, 1, __ATOMIC_SEQ_CST);
}

static void install(int flags) {
  struct sigaction action = {0};
  action.sa_handler = handler;
  action.sa_flags = flags;
  CHECK_EQ(sigaction(SIGUSR1, &action, NULL), 0);
  handled = 0;
}

static void* waitOnSemaphore(void* argument) {
  (void)argument;
  return (void*)(long)(sem_wait(&semaphore) == 0 ? 0 : errno);
}

static void* waitOnFutex(void* argument) {
  (void)argument;
  long result = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  return (void*)(long)(result == 0 ? 0 : errno);
}

static void* waitOnMutex(void* argument) {
  (void)argument;
  int error = pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return (void*)(long)error;
}

static void* waitAtBarrier(void* argument) {
  (void)argument;
  int result = pthread_barrier_wait(&barrier);
  return (void*)(long)(result == PTHREAD_BARRIER_SERIAL_THREAD ? 0 : result);
}

static pthread_t target;

static void start(void* (*function)(void*)) {
  CHECK_EQ(pthread_create(&target, NULL, function, NULL), 0);
  sleepMillis(20); // it waits by then
  CHECK_EQ(pthread_kill(target, SIGUSR1), 0);
  while (__atomic_load_n(&handled, __ATOMIC_SEQ_CST) == 0)
    sched_yield();
  sleepMillis(5);
}

static long result(void) {
  void* value;
  CHECK_EQ(pthread_join(target, &value), 0);
  return (long)value;
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  pthread_barrier_init(&barrier, NULL, 2);

  install(0);
  start(waitOnSemaphore);
  CHECK_EQ(result(), EINTR);
  install(SA_RESTART);
  start(waitOnSemaphore);
  sem_post(&semaphore);
  CHECK_EQ(result(), 0);

  install(0);
  start(waitOnFutex);
  CHECK_EQ(result(), EINTR);
  install(SA_RESTART);
  start(waitOnFutex);
  CHECK_EQ(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0), 1);
  CHECK_EQ(result(), 0);

  install(0);
  pthread_mutex_lock(&mutex);
  start(waitOnMutex);
  pthread_mutex_unlock(&mutex);
  CHECK_EQ(result(), 0);

  install(0);
  start(waitAtBarrier);
  pthread_barrier_wait(&barrier);
  CHECK_EQ(result(), 0);
  return 0;
}
