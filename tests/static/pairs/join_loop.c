// Threads that each round of a loop joins are gone behind it; one that the last round starts is
// not.
// clang-format off
// RACY: /* joined at once */ => if (i == 0) continue;
// RACY: pthread_create(&last, NULL, add, NULL); => if (i) pthread_join(last, NULL); pthread_create(&last, NULL, add, NULL); continue;
// RACY: pthread_join(last, NULL); => } { pthread_join(last, NULL);
// clang-format on
#include <pthread.h>

static int total;

static void* add(void* argument) {
  total += 1;
  return argument;
}

int main(void) {
  pthread_t last;
  for (int i = 0; i < 3; i++) {
    pthread_create(&last, NULL, add, NULL);
    /* joined at once */
    pthread_join(last, NULL);
  }
  total = 5;
  return total;
}
