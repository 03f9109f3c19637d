// Correct: who takes over a mutex comes after its dead owner.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m;
static int v;
static void* dies(void* a) {
  assert(!pthread_mutex_lock(&m));
  v = 1;
  return a;
}
static void* heir(void* a) {
  int r = pthread_mutex_lock(&m);
  if (r == EOWNERDEAD) {
    assert(v == 1);
    v = 2;
    pthread_mutex_consistent(&m);
  }
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &a);
  pthread_t t, u;
  pthread_create(&t, 0, dies, 0);
  pthread_create(&u, 0, heir, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
