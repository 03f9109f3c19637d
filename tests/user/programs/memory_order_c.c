/* A message that is passed on through an atomic flag of C. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int data;
#ifdef BUILTINS
static int ready;
#define STORE(value) __atomic_store_n(&ready, value, __ATOMIC_RELAXED)
#define LOAD() __atomic_load_n(&ready, __ATOMIC_ACQUIRE)
#else
static atomic_int ready;
#define STORE(value) atomic_store_explicit(&ready, value, memory_order_relaxed)
#define LOAD() atomic_load_explicit(&ready, memory_order_acquire)
#endif

static void* produce(void* unused) {
  data = 42; // write
  STORE(1);  // store
  return unused;
}

int main(void) {
  pthread_t producer;
  if (pthread_create(&producer, NULL, produce, NULL) != 0)
    abort();
  while (!LOAD()) // load
    ;
  int got = data; // read
  pthread_join(producer, NULL);
  return got == 42 ? 0 : 1;
}
