// Threads that take turns by an atomic number and yield until it is theirs: a baton that goes round
// tens of thousands of times. The plain log is written by whoever has the baton.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kThreads = 3 };

static atomic_int turn;
static unsigned long log_hash = 1469598103934665603ul;
static long entries;
static int rounds = 8000;

static void note(unsigned value) {
  log_hash = (log_hash ^ value) * 1099511628211ul;
  ++entries;
}

static void* take_turns(void* argument) {
  int self = (int)(size_t)argument;
  for (int i = 0; i < rounds; ++i) {
    while (atomic_load_explicit(&turn, memory_order_acquire) != self)
      sched_yield();
    note((unsigned)self);
    atomic_store_explicit(&turn, (self + 1) % kThreads, memory_order_release);
  }
  return NULL;
}

static unsigned long expected_hash(void) {
  unsigned long hash = 1469598103934665603ul;
  for (int i = 0; i < rounds; ++i)
    for (unsigned self = 0; self < kThreads; ++self)
      hash = (hash ^ self) * 1099511628211ul;
  return hash;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  if (argc > 1)
    rounds = atoi(argv[1]);
  for (size_t i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, take_turns, (void*)i);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  assert(entries == (long)kThreads * rounds);
  assert(log_hash == expected_hash());
  return 0;
}
