// A ticket lock in C11 atomics, in the style of a kernel: who comes takes a number, who leaves
// calls the next one. Several locks guard the buckets of a histogram.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kThreads = 3, kBuckets = 4 };

struct ticket_lock {
  atomic_uint next;
  atomic_uint serving;
};

struct bucket {
  struct ticket_lock lock;
  long samples;
  long sum;
};

static struct bucket histogram[kBuckets];
static int rounds = 30000;

static void ticket_acquire(struct ticket_lock* lock) {
  unsigned ticket = atomic_fetch_add_explicit(&lock->next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&lock->serving, memory_order_acquire) != ticket)
    sched_yield();
}

static void ticket_release(struct ticket_lock* lock) {
  unsigned serving = atomic_load_explicit(&lock->serving, memory_order_relaxed);
  atomic_store_explicit(&lock->serving, serving + 1, memory_order_release);
}

static void add_sample(unsigned value) {
  struct bucket* bucket = &histogram[value % kBuckets];
  ticket_acquire(&bucket->lock);
  bucket->samples++;
  bucket->sum += value;
  ticket_release(&bucket->lock);
}

static void* sample(void* argument) {
  unsigned state = (unsigned)(size_t)argument * 2654435761u + 1;
  for (int i = 0; i < rounds; ++i) {
    state = state * 1664525u + 1013904223u;
    add_sample(state >> 16);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  long samples = 0;
  if (argc > 1)
    rounds = atoi(argv[1]);
  for (size_t i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, sample, (void*)i);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < kBuckets; ++i) {
    assert(histogram[i].lock.next == histogram[i].lock.serving);
    samples += histogram[i].samples;
  }
  assert(samples == (long)kThreads * rounds);
  return 0;
}
