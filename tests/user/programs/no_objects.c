/* Two threads that share nothing but a number in main. */
#include <pthread.h>

static void* add(void* argument) {
  __atomic_fetch_add((int*)argument, 1, __ATOMIC_SEQ_CST);
  return 0;
}

int main(void) {
  int number = 0;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], 0, add, &number);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], 0);
  return number != 2;
}
