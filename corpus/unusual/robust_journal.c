// A journal behind a robust mutex: threads that are told to stop leave while they hold it, in the
// middle of an entry; who comes next repairs the entry and goes on.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

enum { kWriters = 4 };

static pthread_mutex_t mutex;
static long opened, closed, repaired;
static int rounds = 5000;

static void acquire(void) {
  int status = pthread_mutex_lock(&mutex);
  if (status == EOWNERDEAD) {
    assert(opened == closed + 1);
    closed = opened;
    ++repaired;
    assert(pthread_mutex_consistent(&mutex) == 0);
    status = 0;
  }
  assert(status == 0);
}

static void* write_and_die(void* argument) {
  (void)argument;
  for (int i = 0; i < rounds; ++i) {
    acquire();
    ++opened;
    ++closed;
    pthread_mutex_unlock(&mutex);
  }
  acquire();
  ++opened;
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t writers[kWriters];
  pthread_mutexattr_t attributes;
  if (argc > 1)
    rounds = atoi(argv[1]);
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  for (int i = 0; i < kWriters; ++i)
    pthread_create(&writers[i], NULL, write_and_die, NULL);
  for (int i = 0; i < kWriters; ++i)
    pthread_join(writers[i], NULL);
  acquire();
  assert(repaired == kWriters);
  assert(opened == closed && opened == (long)kWriters * (rounds + 1));
  pthread_mutex_unlock(&mutex);
  pthread_mutex_destroy(&mutex);
  return 0;
}
