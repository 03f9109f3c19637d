// Bug: realloc frees the block that the thread writes to.
#include <pthread.h>
#include <stdlib.h>
void* f(void* a) {
  int* p = a;
  *p = 1;
  return 0;
}
int main(void) {
  int* p = malloc(4);
  pthread_t t;
  pthread_create(&t, 0, f, p);
  p = realloc(p, 800);
  pthread_join(t, 0);
  free(p);
  return 0;
}
