/* What the header offers, from C. */
#include <heddle/heddle.h>

#include <pthread.h>
#include <stdio.h>

static int counter;

static void* count(void* unused) {
  int seen = counter;
  HEDDLE_YIELD_POINT();
  counter = seen + 1;
  return unused;
}

int main(void) {
  pthread_t first, second;
  HEDDLE_READY();
  fprintf(stderr, "controlled: %d\n", HEDDLE_CONTROLLED());
  pthread_create(&first, NULL, count, NULL);
  pthread_create(&second, NULL, count, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  HEDDLE_ASSERT(counter == 2);
  return 0;
}
