// Messages through a slot whose flag is relaxed: fences order the plain words beside it, a release
// fence before the flag is raised and an acquire fence after it was seen.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kWords = 6 };

static long slot[kWords];
static atomic_int full;
static int rounds = 20000;

static void put(int number) {
  while (atomic_load_explicit(&full, memory_order_relaxed))
    sched_yield();
  atomic_thread_fence(memory_order_acquire);
  for (int i = 0; i < kWords; ++i)
    slot[i] = (long)number * i;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&full, 1, memory_order_relaxed);
}

static void get(int number) {
  while (!atomic_load_explicit(&full, memory_order_relaxed))
    sched_yield();
  atomic_thread_fence(memory_order_acquire);
  for (int i = 0; i < kWords; ++i)
    assert(slot[i] == (long)number * i);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&full, 0, memory_order_relaxed);
}

static void* produce(void* argument) {
  (void)argument;
  for (int i = 1; i <= rounds; ++i)
    put(i);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t producer;
  if (argc > 1)
    rounds = atoi(argv[1]);
  pthread_create(&producer, NULL, produce, NULL);
  for (int i = 1; i <= rounds; ++i)
    get(i);
  pthread_join(producer, NULL);
  assert(!full);
  return 0;
}
