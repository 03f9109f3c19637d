// POSIX semaphores, unnamed and named.
#include "check.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static sem_t semaphore;

static int valueOf(sem_t* s) {
  int value = -1;
  CHECK_EQ(sem_getvalue(s, &value), 0);
  return value;
}

static void codes(void) {
  CHECK_EQ(sem_init(&semaphore, 0, 2), 0);
  CHECK_EQ(sem_wait(&semaphore), 0);
  CHECK_EQ(sem_trywait(&semaphore), 0);
  CHECK_ERRNO(sem_trywait(&semaphore), EAGAIN);
  CHECK_EQ(valueOf(&semaphore), 0);
  struct timespec soon = afterMillis(CLOCK_REALTIME, 5);
  CHECK_ERRNO(sem_timedwait(&semaphore, &soon), ETIMEDOUT);
  CHECK_ERRNO(sem_timedwait(&semaphore, &soon), ETIMEDOUT);
  soon = afterMillis(CLOCK_MONOTONIC, 5);
  CHECK_ERRNO(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
  CHECK_ERRNO(sem_clockwait(&semaphore, CLOCK_THREAD_CPUTIME_ID, &soon), EINVAL);
  struct timespec bad = {1, -1};
  CHECK_ERRNO(sem_timedwait(&semaphore, &bad), EINVAL);
  CHECK_EQ(sem_post(&semaphore), 0);
  CHECK_EQ(valueOf(&semaphore), 1);
  errno = 1234;
  CHECK_EQ(sem_timedwait(&semaphore, &soon), 0);
  CHECK_EQ(errno, 1234);
  CHECK_EQ(sem_destroy(&semaphore), 0);
  sem_t full;
  CHECK_EQ(sem_init(&full, 0, SEM_VALUE_MAX), 0);
  CHECK_ERRNO(sem_post(&full), EOVERFLOW);
}

enum { kPermits = 2 };
static sem_t* permits;
static int inside, entered;

static void* enter(void* argument) {
  for (int i = 0; i < 4; ++i) {
    int error = 0;
    if (i == 2)
      while ((error = sem_trywait(permits)) != 0)
        CHECK_EQ(errno, EAGAIN);
    else
      CHECK_EQ(sem_wait(permits), 0);
    CHECK(__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST) <= kPermits);
    sched_yield();
    __atomic_add_fetch(&entered, 1, __ATOMIC_SEQ_CST);
    __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    CHECK_EQ(sem_post(permits), 0);
  }
  return argument;
}

static void limitsEntry(sem_t* s) {
  permits = s;
  entered = 0;
  pthread_t threads[5];
  for (int i = 0; i < 5; ++i)
    pthread_create(&threads[i], NULL, enter, NULL);
  for (int i = 0; i < 5; ++i)
    pthread_join(threads[i], NULL);
  CHECK_EQ(entered, 20);
  CHECK_EQ(valueOf(s), kPermits);
}

static void named(void) {
  char name[64];
  snprintf(name, sizeof name, "/heddle-sync-test-%d", (int)getpid());
  sem_unlink(name);
  sem_t* s = sem_open(name, O_CREAT | O_EXCL, 0600, kPermits);
  if (s == SEM_FAILED)
    return; // no shared memory here
  limitsEntry(s);
  CHECK_EQ(sem_close(s), 0);
  CHECK_EQ(sem_unlink(name), 0);
}

static sem_t ping, pong;
static int ball;

static void* play(void* argument) {
  for (int i = 0; i < 10; ++i) {
    sem_wait(&ping);
    CHECK_EQ(ball++ % 2, 0);
    sem_post(&pong);
  }
  return argument;
}

static void pingPong(void) {
  sem_init(&ping, 0, 1);
  sem_init(&pong, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, play, NULL);
  for (int i = 0; i < 10; ++i) {
    sem_wait(&pong);
    CHECK_EQ(ball++ % 2, 1);
    sem_post(&ping);
  }
  pthread_join(thread, NULL);
}

int main(void) {
  codes();
  sem_init(&semaphore, 0, kPermits);
  limitsEntry(&semaphore);
  named();
  pingPong();
  return 0;
}
