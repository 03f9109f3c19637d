// A lock made of a futex word with three values: free, taken, taken with waiters. A thread that has
// waited takes the lock as "taken with waiters", because others may still wait; at worst one
// wake-up is superfluous, but none is missing.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { isFree, isTaken, hasWaiters };

static atomic_int lockWord = isFree;
static int journal;

static void futexWait(int value) {
  syscall(SYS_futex, &lockWord, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void futexWake(void) { syscall(SYS_futex, &lockWord, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }

static void lock(void) {
  int seen = isFree;
  if (atomic_compare_exchange_strong(&lockWord, &seen, isTaken))
    return;
  while (atomic_exchange(&lockWord, hasWaiters) != isFree)
    futexWait(hasWaiters);
}

static void unlock(void) {
  if (atomic_exchange(&lockWord, isFree) == hasWaiters)
    futexWake();
}

static void *append(void *argument) {
  (void)argument;
  lock();
  journal++; // NORACE
  unlock();
  return NULL;
}

int main(void) {
  pthread_t writers[3];
  for (int i = 0; i < 3; ++i)
    pthread_create(&writers[i], NULL, append, NULL);
  for (int i = 0; i < 3; ++i)
    pthread_join(writers[i], NULL);
  assert(journal == 3);
  return 0;
}
