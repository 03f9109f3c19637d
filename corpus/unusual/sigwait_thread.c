// All signals are blocked; one thread takes them with sigwait. Workers report to it with
// pthread_kill, and a real-time signal for each piece of work carries no data: the count does.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kWorkers = 2 };

static int rounds = 4000;
static pthread_t waiter;
static atomic_long done;
static long seen_at_end;
static int wakeups;

static void* wait_for_signals(void* argument) {
  sigset_t* watched = argument;
  for (;;) {
    int number = 0;
    assert(sigwait(watched, &number) == 0);
    if (number == SIGTERM)
      break;
    assert(number == SIGUSR1);
    ++wakeups;
    assert(atomic_load(&done) > 0);
  }
  seen_at_end = atomic_load(&done);
  return NULL;
}

static void* work(void* argument) {
  (void)argument;
  for (int i = 0; i < rounds; ++i) {
    atomic_fetch_add(&done, 1);
    if (i % 8 == 0)
      assert(pthread_kill(waiter, SIGUSR1) == 0);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t workers[kWorkers];
  sigset_t watched;
  if (argc > 1)
    rounds = atoi(argv[1]);
  sigemptyset(&watched);
  sigaddset(&watched, SIGUSR1);
  sigaddset(&watched, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &watched, NULL);
  pthread_create(&waiter, NULL, wait_for_signals, &watched);
  for (int i = 0; i < kWorkers; ++i)
    pthread_create(&workers[i], NULL, work, NULL);
  for (int i = 0; i < kWorkers; ++i)
    pthread_join(workers[i], NULL);
  pthread_kill(waiter, SIGTERM);
  pthread_join(waiter, NULL);
  assert(seen_at_end == (long)kWorkers * rounds);
  // Signals that are pending already are not queued again.
  assert(wakeups <= kWorkers * (rounds / 8 + 1));
  return 0;
}
