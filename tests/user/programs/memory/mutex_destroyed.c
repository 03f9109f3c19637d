// Bug: the mutex is destroyed while the other thread may still lock it.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int v;
static void* f(void* a) {
  pthread_mutex_lock(&m);
  v++;
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  v++;
  pthread_mutex_unlock(&m);
  pthread_mutex_destroy(&m);
  pthread_join(t, 0);
  return 0;
}
