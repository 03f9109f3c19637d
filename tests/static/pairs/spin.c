// An atomic that is only taken and given back is a lock.
// RACY: expected = 0; // again => // again
// RACY: &taken, 0, memory_order_release => &taken, 0, memory_order_relaxed
// RACY: // main => atomic_store(&taken, 3);
// RACY: unlock(); // data => unlock(); ++data;
#include <pthread.h>
#include <stdatomic.h>

static int data, other;
static atomic_int taken;
static atomic_flag flag = ATOMIC_FLAG_INIT;

static void lock(void) {
  int expected = 0;
  while (!atomic_compare_exchange_weak_explicit(&taken, &expected, 1, memory_order_acquire,
                                                memory_order_relaxed)) {
    expected = 0; // again
  }
}

static void unlock(void) { atomic_store_explicit(&taken, 0, memory_order_release); }

static void* add(void* argument) {
  lock();
  ++data;
  unlock(); // data
  while (atomic_flag_test_and_set(&flag)) {
  }
  ++other;
  atomic_flag_clear(&flag);
  return argument;
}

int main(void) {
  pthread_t left, right;
  pthread_create(&left, NULL, add, NULL);
  pthread_create(&right, NULL, add, NULL);
  // main
  pthread_join(left, NULL);
  pthread_join(right, NULL);
  return data + other;
}
