// The classic: threads increment counters behind a mutex, each tens of thousands of times, and with
// a read-write lock the totals are read meanwhile.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { kThreads = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static long counter;
static struct {
  long low, high;
} pair;
static int rounds = 40000;

static void* increment(void* argument) {
  (void)argument;
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    if (i % 64 != 0)
      continue;
    pthread_rwlock_wrlock(&lock);
    pair.low++;
    pair.high++;
    pthread_rwlock_unlock(&lock);
  }
  return NULL;
}

static void* watch(void* argument) {
  (void)argument;
  for (int i = 0; i < rounds; ++i) {
    pthread_rwlock_rdlock(&lock);
    assert(pair.low == pair.high);
    pthread_rwlock_unlock(&lock);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads], watcher;
  if (argc > 1)
    rounds = atoi(argv[1]);
  for (int i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, increment, NULL);
  pthread_create(&watcher, NULL, watch, NULL);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  pthread_join(watcher, NULL);
  assert(counter == (long)kThreads * rounds);
  return 0;
}
