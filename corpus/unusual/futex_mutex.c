// Drepper's futex mutex (free, locked, locked with waiters) and a futex event, by syscall(): the
// owner makes the system call only when somebody waits.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kThreads = 3 };

static atomic_int mutex;
static atomic_int started;
static long counter;
static int rounds = 20000;

static void futex_wait(atomic_int* word, int expected) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

static void futex_wake(atomic_int* word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

static void lock(void) {
  int seen = 0;
  if (atomic_compare_exchange_strong(&mutex, &seen, 1))
    return;
  if (seen != 2)
    seen = atomic_exchange(&mutex, 2);
  while (seen != 0) {
    futex_wait(&mutex, 2);
    seen = atomic_exchange(&mutex, 2);
  }
}

static void unlock(void) {
  if (atomic_fetch_sub(&mutex, 1) == 1)
    return;
  atomic_store(&mutex, 0);
  futex_wake(&mutex, 1);
}

static void* count(void* argument) {
  (void)argument;
  while (!atomic_load(&started))
    futex_wait(&started, 0);
  for (int i = 0; i < rounds; ++i) {
    lock();
    ++counter;
    unlock();
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  if (argc > 1)
    rounds = atoi(argv[1]);
  for (int i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, count, NULL);
  atomic_store(&started, 1);
  futex_wake(&started, kThreads);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  assert(counter == (long)kThreads * rounds);
  return 0;
}
