// Bug: realloc may move the block; it does not here, but the other thread's pointer is invalid.
#include <pthread.h>
#include <stdlib.h>
static void* f(void* a) {
  int* p = a;
  p[1] = 1;
  return 0;
}
int main(void) {
  int* p = malloc(24);
  pthread_t t;
  pthread_create(&t, 0, f, p);
  p = realloc(p, 20);
  p[0] = 1;
  pthread_join(t, 0);
  int r = p[0];
  free(p);
  return r - 1;
}
