// Memory that is reallocated may have been freed: nobody else uses it by its old address.
// clang-format off
// RACY: pthread_join(thread, NULL); /* first */ => /* later */
// clang-format on
#include <pthread.h>
#include <stdlib.h>

static void* fill(void* argument) {
  int* place = argument;
  *place = 1;
  return NULL;
}

int main(void) {
  int* place = malloc(sizeof *place);
  pthread_t thread;
  pthread_create(&thread, NULL, fill, place);
  pthread_join(thread, NULL); /* first */
  place = realloc(place, 800);
  pthread_join(thread, NULL);
  free(place);
  return 0;
}
