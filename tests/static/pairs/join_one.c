// A join of one thread of several joins this one: those of an array are joined by a loop.
// clang-format off
// RACY: pthread_join(threads[i], NULL); => pthread_join(threads[2], NULL);
// clang-format on
#include <pthread.h>

static _Atomic int total;
static int result;

static void* add(void* argument) {
  total += 1;
  if (total == 10)
    __atomic_store_n(&result, 1, __ATOMIC_RELAXED);
  return argument;
}

int main(void) {
  pthread_t threads[10];
  for (int i = 0; i < 10; i++) {
    pthread_create(&threads[i], NULL, add, NULL);
  }
  for (int i = 0; i < 10; i++)
    pthread_join(threads[i], NULL);
  result = 2;
  return result;
}
