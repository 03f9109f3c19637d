// Mutexes of all types: return codes, owners, timeouts, mutual exclusion.
#include "check.h"

#include <pthread.h>

static pthread_mutex_t makeMutex(int type, int robust, int protocol) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutexattr_setrobust(&attributes, robust);
  pthread_mutexattr_setprotocol(&attributes, protocol);
  pthread_mutex_t mutex;
  CHECK_EQ(pthread_mutex_init(&mutex, &attributes), 0);
  pthread_mutexattr_destroy(&attributes);
  return mutex;
}

static void* tryFromOutside(void* mutex) {
  int error = pthread_mutex_trylock(mutex);
  if (error == 0)
    pthread_mutex_unlock(mutex);
  return (void*)(long)error;
}

static void* unlockFromOutside(void* mutex) { return (void*)(long)pthread_mutex_unlock(mutex); }

static void* timedFromOutside(void* mutex) {
  struct timespec time = afterMillis(CLOCK_REALTIME, 3);
  CHECK_EQ(pthread_mutex_timedlock(mutex, &time), ETIMEDOUT);
  time = afterMillis(CLOCK_MONOTONIC, 3);
  CHECK_EQ(pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &time), ETIMEDOUT);
  CHECK_EQ(pthread_mutex_clocklock(mutex, CLOCK_THREAD_CPUTIME_ID, &time), EINVAL);
  time.tv_sec = 1;
  CHECK_EQ(pthread_mutex_timedlock(mutex, &time), ETIMEDOUT);
  time.tv_nsec = 1000000000;
  return (void*)(long)pthread_mutex_timedlock(mutex, &time);
}

static long inThread(void* (*function)(void*), pthread_mutex_t* mutex) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, function, mutex), 0);
  void* result;
  CHECK_EQ(pthread_join(thread, &result), 0);
  return (long)result;
}

static void normal(int robust, int protocol) {
  pthread_mutex_t mutex = makeMutex(PTHREAD_MUTEX_NORMAL, robust, protocol);
  CHECK_EQ(pthread_mutex_lock(&mutex), 0);
  CHECK_EQ(pthread_mutex_trylock(&mutex), EBUSY);
  CHECK_EQ(inThread(tryFromOutside, &mutex), EBUSY);
  CHECK_EQ(inThread(timedFromOutside, &mutex), EINVAL);
  if (protocol == PTHREAD_PRIO_NONE && robust == PTHREAD_MUTEX_STALLED) {
    CHECK_EQ(pthread_mutex_destroy(&mutex), EBUSY);
    struct timespec soon = afterMillis(CLOCK_REALTIME, 2);
    CHECK_EQ(pthread_mutex_timedlock(&mutex, &soon), ETIMEDOUT);
  }
  CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
  CHECK_EQ(inThread(tryFromOutside, &mutex), 0);
  CHECK_EQ(pthread_mutex_destroy(&mutex), 0);
}

static void recursive(int robust, int protocol) {
  pthread_mutex_t mutex = makeMutex(PTHREAD_MUTEX_RECURSIVE, robust, protocol);
  CHECK_EQ(pthread_mutex_lock(&mutex), 0);
  CHECK_EQ(pthread_mutex_trylock(&mutex), 0);
  CHECK_EQ(pthread_mutex_lock(&mutex), 0);
  CHECK_EQ(inThread(unlockFromOutside, &mutex), EPERM);
  CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
  CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
  CHECK_EQ(inThread(tryFromOutside, &mutex), EBUSY);
  CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
  CHECK_EQ(pthread_mutex_unlock(&mutex), EPERM);
  CHECK_EQ(inThread(tryFromOutside, &mutex), 0);
  CHECK_EQ(pthread_mutex_destroy(&mutex), 0);
}

static void errorChecking(int robust, int protocol) {
  pthread_mutex_t mutex = makeMutex(PTHREAD_MUTEX_ERRORCHECK, robust, protocol);
  CHECK_EQ(pthread_mutex_unlock(&mutex), EPERM);
  CHECK_EQ(pthread_mutex_lock(&mutex), 0);
  CHECK_EQ(pthread_mutex_lock(&mutex), EDEADLK);
  struct timespec late = afterMillis(CLOCK_REALTIME, 60000);
  CHECK_EQ(pthread_mutex_timedlock(&mutex, &late), EDEADLK);
  CHECK_EQ(inThread(unlockFromOutside, &mutex), EPERM);
  CHECK_EQ(inThread(tryFromOutside, &mutex), EBUSY);
  CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
  CHECK_EQ(pthread_mutex_destroy(&mutex), 0);
}

static void* dieWith(void* mutex) {
  CHECK_EQ(pthread_mutex_lock(mutex), 0);
  return NULL;
}

static void* waitForDead(void* mutex) {
  int error = pthread_mutex_lock(mutex);
  CHECK(error == 0 || error == EOWNERDEAD);
  if (error == EOWNERDEAD)
    CHECK_EQ(pthread_mutex_consistent(mutex), 0);
  CHECK_EQ(pthread_mutex_unlock(mutex), 0);
  return (void*)(long)error;
}

static void robust(int protocol) {
  pthread_mutex_t mutex = makeMutex(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, protocol);
  CHECK_EQ(inThread(dieWith, &mutex), 0);
  CHECK_EQ(pthread_mutex_lock(&mutex), EOWNERDEAD);
  CHECK_EQ(pthread_mutex_consistent(&mutex), 0);
  CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
  CHECK_EQ(inThread(tryFromOutside, &mutex), 0);

  pthread_t dying, waiting;
  pthread_create(&dying, NULL, dieWith, &mutex);
  pthread_create(&waiting, NULL, waitForDead, &mutex);
  pthread_join(dying, NULL);
  void* seen;
  pthread_join(waiting, &seen);
  int error = pthread_mutex_lock(&mutex);
  CHECK_EQ(error, (long)seen == EOWNERDEAD ? 0 : EOWNERDEAD);
  if (error == EOWNERDEAD)
    pthread_mutex_consistent(&mutex);
  CHECK_EQ(pthread_mutex_unlock(&mutex), 0);

  CHECK_EQ(inThread(dieWith, &mutex), 0);
  CHECK_EQ(pthread_mutex_lock(&mutex), EOWNERDEAD);
  CHECK_EQ(pthread_mutex_unlock(&mutex), 0); // without repair
  CHECK_EQ(pthread_mutex_lock(&mutex), ENOTRECOVERABLE);
  CHECK_EQ(pthread_mutex_destroy(&mutex), 0);
}

static pthread_mutex_t shared;
static int inside, total;

static void* compete(void* argument) {
  for (int i = 0; i < 10; ++i) {
    if (i % 3 == 0)
      while (pthread_mutex_trylock(&shared) != 0)
        ;
    else if (i % 3 == 1)
      CHECK_EQ(pthread_mutex_lock(&shared), 0);
    else {
      struct timespec late = afterMillis(CLOCK_REALTIME, 60000);
      CHECK_EQ(pthread_mutex_timedlock(&shared, &late), 0);
    }
    CHECK_EQ(inside++, 0);
    sched_yield();
    ++total;
    CHECK_EQ(--inside, 0);
    CHECK_EQ(pthread_mutex_unlock(&shared), 0);
  }
  return argument;
}

static void exclusion(int type) {
  shared = makeMutex(type, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE);
  total = 0;
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, compete, NULL);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  CHECK_EQ(total, 40);
  CHECK_EQ(pthread_mutex_destroy(&shared), 0);
}

int main(void) {
  const int protocols[] = {PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT};
  const int robustness[] = {PTHREAD_MUTEX_STALLED, PTHREAD_MUTEX_ROBUST};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      normal(robustness[j], protocols[i]);
      recursive(robustness[j], protocols[i]);
      errorChecking(robustness[j], protocols[i]);
    }
    robust(protocols[i]);
  }
  exclusion(PTHREAD_MUTEX_NORMAL);
  exclusion(PTHREAD_MUTEX_RECURSIVE);
  exclusion(PTHREAD_MUTEX_ERRORCHECK);
  exclusion(PTHREAD_MUTEX_ADAPTIVE_NP);
  return 0;
}
