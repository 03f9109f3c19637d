// Code from before C11: volatile variables and GCC's __sync builtins. A spin lock by test-and-set,
// a publication by compare-and-swap, and a full barrier before the flag that says that it is done.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { kThreads = 3 };

static volatile int locked;
static volatile long shared_count;
static volatile int started;
static struct settings {
  int size;
  int limit;
}* volatile settings;
static int rounds = 20000;

static void spin_lock(void) {
  while (__sync_lock_test_and_set(&locked, 1))
    sched_yield();
}

static void spin_unlock(void) { __sync_lock_release(&locked); }

static struct settings* current_settings(void) {
  struct settings* known = __sync_val_compare_and_swap(&settings, NULL, NULL);
  if (known)
    return known;
  struct settings* fresh = malloc(sizeof *fresh);
  fresh->size = 16;
  fresh->limit = 256;
  __sync_synchronize();
  if (__sync_bool_compare_and_swap(&settings, NULL, fresh))
    return fresh;
  free(fresh);
  return __sync_val_compare_and_swap(&settings, NULL, NULL);
}

static void* work(void* argument) {
  (void)argument;
  __sync_fetch_and_add(&started, 1);
  while (__sync_fetch_and_add(&started, 0) < kThreads)
    sched_yield();
  for (int i = 0; i < rounds; ++i) {
    struct settings* known = current_settings();
    assert(known->limit == known->size * known->size);
    spin_lock();
    shared_count = shared_count + 1;
    spin_unlock();
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  if (argc > 1)
    rounds = atoi(argv[1]);
  for (int i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  assert(shared_count == (long)kThreads * rounds);
  free(settings);
  return 0;
}
