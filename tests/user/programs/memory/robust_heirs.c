// Correct: every thread dies with the mutex; the next one takes over. Also by trylock and in a
// shared mapping.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
static pthread_mutex_t m;
static int v, seen;
static void* dies(void* a) {
  int r = pthread_mutex_lock(&m);
  if (r == EOWNERDEAD) {
    seen++;
    pthread_mutex_consistent(&m);
  }
  v++;
  return a;
}
static void* tries(void* a) {
  int r;
  while ((r = pthread_mutex_trylock(&m)) == EBUSY)
    sched_yield();
  if (r == EOWNERDEAD) {
    seen++;
    pthread_mutex_consistent(&m);
  }
  v++;
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &a);
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, i == 2 ? tries : dies, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  int r = pthread_mutex_lock(&m);
  assert(r == EOWNERDEAD || r == 0);
  assert(v == 4);
  return 0;
}
