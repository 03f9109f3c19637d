// A flag that one thread sets orders what it did before.
// RACY: memory_order_release => memory_order_relaxed
// RACY: memory_order_acquire => memory_order_relaxed
// RACY: data = 5; // first => atomic_store(&ready, 1); data = 5;
// RACY: // main too => atomic_store(&ready, 1);
// RACY: i = 0; ! => i = 0; i < 10 && !
// RACY: atomic_int ready; => atomic_int ready = 1;
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void* write_data(void* argument) {
  data = 5; // first
  atomic_store_explicit(&ready, 1, memory_order_release);
  return argument;
}

static void* read_data(void* argument) {
  for (unsigned i = 0; !atomic_load_explicit(&ready, memory_order_acquire); ++i) {
  }
  return data ? argument : NULL;
}

int main(void) {
  pthread_t writer, reader;
  pthread_create(&writer, NULL, write_data, NULL);
  pthread_create(&reader, NULL, read_data, NULL);
  // main too
  pthread_join(writer, NULL);
  pthread_join(reader, NULL);
  return 0;
}
