// Bug: destroyed while the other thread holds it.
#include <pthread.h>
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
static int v;
static void* f(void* a) {
  pthread_rwlock_rdlock(&r);
  v;
  pthread_rwlock_unlock(&r);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_rwlock_destroy(&r);
  pthread_join(t, 0);
  return 0;
}
