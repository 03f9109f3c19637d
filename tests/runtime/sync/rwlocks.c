// Read-write locks: who may be inside with whom, return codes, timeouts, preference of writers.
#include "check.h"

#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* tryRead(void* argument) {
  int error = pthread_rwlock_tryrdlock(argument);
  if (error == 0)
    pthread_rwlock_unlock(argument);
  return (void*)(long)error;
}

static void* tryWrite(void* argument) {
  int error = pthread_rwlock_trywrlock(argument);
  if (error == 0)
    pthread_rwlock_unlock(argument);
  return (void*)(long)error;
}

static void* timedRead(void* argument) {
  struct timespec soon = afterMillis(CLOCK_REALTIME, 3);
  CHECK_EQ(pthread_rwlock_timedrdlock(argument, &soon), ETIMEDOUT);
  soon = afterMillis(CLOCK_MONOTONIC, 3);
  return (void*)(long)pthread_rwlock_clockrdlock(argument, CLOCK_MONOTONIC, &soon);
}

static void* timedWrite(void* argument) {
  struct timespec soon = afterMillis(CLOCK_REALTIME, 3);
  CHECK_EQ(pthread_rwlock_timedwrlock(argument, &soon), ETIMEDOUT);
  soon = afterMillis(CLOCK_MONOTONIC, 3);
  return (void*)(long)pthread_rwlock_clockwrlock(argument, CLOCK_MONOTONIC, &soon);
}

static long inThread(void* (*function)(void*)) {
  pthread_t thread;
  pthread_create(&thread, NULL, function, &lock);
  void* result;
  pthread_join(thread, &result);
  return (long)result;
}

static void codes(void) {
  CHECK_EQ(pthread_rwlock_rdlock(&lock), 0);
  CHECK_EQ(pthread_rwlock_rdlock(&lock), 0);
  CHECK_EQ(inThread(tryRead), 0);
  CHECK_EQ(inThread(tryWrite), EBUSY);
  CHECK_EQ(inThread(timedWrite), ETIMEDOUT);
  CHECK_EQ(pthread_rwlock_trywrlock(&lock), EBUSY);
  CHECK_EQ(pthread_rwlock_unlock(&lock), 0);
  CHECK_EQ(inThread(tryWrite), EBUSY);
  CHECK_EQ(pthread_rwlock_unlock(&lock), 0);
  CHECK_EQ(inThread(tryWrite), 0);

  CHECK_EQ(pthread_rwlock_wrlock(&lock), 0);
  CHECK_EQ(pthread_rwlock_wrlock(&lock), EDEADLK);
  CHECK_EQ(pthread_rwlock_rdlock(&lock), EDEADLK);
  CHECK_EQ(inThread(tryRead), EBUSY);
  CHECK_EQ(inThread(tryWrite), EBUSY);
  CHECK_EQ(inThread(timedRead), ETIMEDOUT);
  CHECK_EQ(inThread(timedWrite), ETIMEDOUT);
  CHECK_EQ(pthread_rwlock_unlock(&lock), 0);

  struct timespec bad = {1, 1000000000};
  CHECK_EQ(pthread_rwlock_timedrdlock(&lock, &bad), EINVAL);
  CHECK_EQ(pthread_rwlock_timedwrlock(&lock, &bad), EINVAL);
  struct timespec past = {1, 0};
  CHECK_EQ(pthread_rwlock_clockwrlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
  CHECK_EQ(pthread_rwlock_timedwrlock(&lock, &past), 0); // free: had at once
  CHECK_EQ(pthread_rwlock_unlock(&lock), 0);
}

static int readers, writers, mostReaders, value;

static void* read3(void* argument) {
  for (int i = 0; i < 3; ++i) {
    CHECK_EQ(pthread_rwlock_rdlock(&lock), 0);
    int now = __atomic_add_fetch(&readers, 1, __ATOMIC_SEQ_CST);
    if (now > mostReaders)
      mostReaders = now;
    CHECK_EQ(writers, 0);
    int before = value;
    sched_yield();
    CHECK_EQ(value, before);
    __atomic_sub_fetch(&readers, 1, __ATOMIC_SEQ_CST);
    CHECK_EQ(pthread_rwlock_unlock(&lock), 0);
  }
  return argument;
}

static void* write3(void* argument) {
  for (int i = 0; i < 3; ++i) {
    if (i == 1)
      while (pthread_rwlock_trywrlock(&lock) != 0)
        ;
    else
      CHECK_EQ(pthread_rwlock_wrlock(&lock), 0);
    CHECK_EQ(writers++, 0);
    CHECK_EQ(readers, 0);
    ++value;
    sched_yield();
    CHECK_EQ(--writers, 0);
    CHECK_EQ(pthread_rwlock_unlock(&lock), 0);
  }
  return argument;
}

static void exclusion(void) {
  pthread_t threads[5];
  for (int i = 0; i < 5; ++i)
    pthread_create(&threads[i], NULL, i < 3 ? read3 : write3, NULL);
  for (int i = 0; i < 5; ++i)
    pthread_join(threads[i], NULL);
  CHECK_EQ(value, 6);
}

static void* waitToWrite(void* argument) {
  CHECK_EQ(pthread_rwlock_wrlock(argument), 0);
  CHECK_EQ(pthread_rwlock_unlock(argument), 0);
  return NULL;
}

static void writersFirst(void) {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_t preferring;
  pthread_rwlock_init(&preferring, &attributes);
  CHECK_EQ(pthread_rwlock_rdlock(&preferring), 0);
  CHECK_EQ(pthread_rwlock_tryrdlock(&preferring), 0);
  pthread_t writer;
  pthread_create(&writer, NULL, waitToWrite, &preferring);
  sleepMillis(30); // the writer waits by then
  CHECK_EQ(pthread_rwlock_tryrdlock(&preferring), EBUSY);
  CHECK_EQ(pthread_rwlock_unlock(&preferring), 0);
  CHECK_EQ(pthread_rwlock_unlock(&preferring), 0);
  CHECK_EQ(pthread_rwlock_rdlock(&preferring), 0);
  CHECK_EQ(pthread_rwlock_unlock(&preferring), 0);
  pthread_join(writer, NULL);
  CHECK_EQ(pthread_rwlock_destroy(&preferring), 0);
}

static pthread_rwlock_t contended;

static void* readBehindWriter(void* argument) {
  CHECK_EQ(pthread_rwlock_rdlock(&contended), 0);
  CHECK_EQ(pthread_rwlock_unlock(&contended), 0);
  return argument;
}

static void* writeInVain(void* argument) {
  struct timespec soon = afterMillis(CLOCK_REALTIME, 20);
  CHECK_EQ(pthread_rwlock_timedwrlock(&contended, &soon), ETIMEDOUT);
  return argument;
}

/* A writer that gives up must not leave behind the readers that waited for it. */
static void writerGivesUp(void) {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&contended, &attributes);
  CHECK_EQ(pthread_rwlock_rdlock(&contended), 0);
  pthread_t writer, reader;
  pthread_create(&writer, NULL, writeInVain, NULL);
  pthread_create(&reader, NULL, readBehindWriter, NULL);
  pthread_join(writer, NULL);
  pthread_join(reader, NULL);
  CHECK_EQ(pthread_rwlock_unlock(&contended), 0);
}

int main(void) {
  codes();
  exclusion();
  writersFirst();
  writerGivesUp();
  return 0;
}
