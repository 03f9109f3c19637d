// Mutexes with priority inheritance, recursive and adaptive ones, a read-write lock that prefers
// writers. One is taken with a time limit of five seconds, which nobody holds it for.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

enum { kThreads = 3, kRounds = 200, kMutexes = 3, kTimed = 2 };

static pthread_mutex_t mutexes[kMutexes];
static pthread_rwlock_t tableLock;
static int counts[kMutexes];
static int table;

static void lockInTime(pthread_mutex_t* mutex) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 5;
  assert(pthread_mutex_timedlock(mutex, &limit) == 0);
}

static void* work(void* unused) {
  for (int i = 0; i < kRounds; ++i) {
    int which = i % kMutexes;
    if (which == kTimed)
      lockInTime(&mutexes[which]);
    else
      assert(pthread_mutex_lock(&mutexes[which]) == 0);
    ++counts[which];
    assert(pthread_mutex_unlock(&mutexes[which]) == 0);
    if (i % 10 == 0) {
      pthread_rwlock_wrlock(&tableLock);
      ++table;
    } else {
      pthread_rwlock_rdlock(&tableLock);
      assert(table >= 0);
    }
    pthread_rwlock_unlock(&tableLock);
  }
  return unused;
}

static void makeLocks(void) {
  pthread_mutexattr_t inherits;
  pthread_mutexattr_init(&inherits);
  pthread_mutexattr_setprotocol(&inherits, PTHREAD_PRIO_INHERIT);
  pthread_mutex_init(&mutexes[0], &inherits);
  pthread_mutexattr_settype(&inherits, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutexes[1], &inherits);
  pthread_mutexattr_t adapts;
  pthread_mutexattr_init(&adapts);
  pthread_mutexattr_settype(&adapts, PTHREAD_MUTEX_ADAPTIVE_NP);
  pthread_mutex_init(&mutexes[kTimed], &adapts);
  pthread_rwlockattr_t writersFirst;
  pthread_rwlockattr_init(&writersFirst);
  pthread_rwlockattr_setkind_np(&writersFirst, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&tableLock, &writersFirst);
}

int main(void) {
  makeLocks();
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  assert(counts[0] + counts[1] + counts[2] == kThreads * kRounds);
  return 0;
}
