// Two threads that take turns for long with counters in shared memory: what one run, or one
// window of it, has written there is not there for another one.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

struct shared {
  pthread_mutex_t mutex;
  long sum, by[2];
};
static struct shared* shared;
static long own[2];
static long rounds = 20000;

static void* add(void* argument) {
  long me = (long)argument;
  for (long i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&shared->mutex);
    assert(shared->by[me] == own[me]);
    assert(shared->sum == shared->by[0] + shared->by[1]);
    ++own[me];
    ++shared->by[me];
    ++shared->sum;
    pthread_mutex_unlock(&shared->mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_mutexattr_t attributes;
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&shared->mutex, &attributes);
  for (long i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, add, (void*)i);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  assert(shared->sum == 2 * rounds);
  return 0;
}
