// A supervisor interrupts workers with a signal; the handler only raises a lock-free flag of its
// thread, and the worker looks at it between two pieces of work. A sleep may be cut short by it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kWorkers = 2 };

static int rounds = 2000;
static _Thread_local volatile sig_atomic_t interrupted;
static atomic_int acknowledged[kWorkers];
static atomic_int stop;
static pthread_t workers[kWorkers];

static void on_interrupt(int number) {
  int saved = errno;
  (void)number;
  interrupted = 1;
  errno = saved;
}

static void* work(void* argument) {
  size_t self = (size_t)argument;
  unsigned long pieces = 0;
  while (!atomic_load(&stop)) {
    struct timespec pause = {0, 20000};
    ++pieces;
    if (pieces % 16 == 0)
      nanosleep(&pause, NULL);
    if (!interrupted)
      continue;
    interrupted = 0;
    atomic_fetch_add(&acknowledged[self], 1);
  }
  return NULL;
}

static void interrupt(size_t worker) {
  int before = atomic_load(&acknowledged[worker]);
  assert(pthread_kill(workers[worker], SIGUSR1) == 0);
  while (atomic_load(&acknowledged[worker]) == before) {
    struct timespec pause = {0, 10000};
    nanosleep(&pause, NULL);
  }
}

int main(int argc, char** argv) {
  struct sigaction action;
  if (argc > 1)
    rounds = atoi(argv[1]);
  rounds = rounds / 10 + 1;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_interrupt;
  sigaction(SIGUSR1, &action, NULL);
  for (size_t i = 0; i < kWorkers; ++i)
    pthread_create(&workers[i], NULL, work, (void*)i);
  for (int i = 0; i < rounds; ++i)
    interrupt((size_t)i % kWorkers);
  atomic_store(&stop, 1);
  for (int i = 0; i < kWorkers; ++i)
    pthread_join(workers[i], NULL);
  assert(acknowledged[0] + acknowledged[1] == rounds);
  return 0;
}
