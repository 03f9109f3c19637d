// Figure 2 of "Race Directed Random Testing of Concurrent Programs" (Sen, PLDI 2008) without its
// race: x is accessed under the lock, and thread1 waits until thread2 has written it before it runs
// its 5 * N statements.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef N
#define N 40
#endif

static pthread_mutex_t L = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t written = PTHREAD_COND_INITIALIZER;
static int x;
static volatile int work;

static void f1(void) {
  for (int i = 0; i < N; ++i)
    work += i;
}

static void f2(void) {
  for (int i = 0; i < N; ++i)
    work ^= i;
}

static void f3(void) {
  for (int i = 0; i < N; ++i)
    work -= i;
}

static void f4(void) {
  for (int i = 0; i < N; ++i)
    work |= i;
}

static void f5(void) {
  for (int i = 0; i < N; ++i)
    work &= 1023 - i;
}

static void f6(void) { ++work; }

static void *thread1(void *argument) {
  pthread_mutex_lock(&L);
  while (x == 0)
    pthread_cond_wait(&written, &L);
  f1();
  f2();
  f3();
  f4();
  f5();
  int seen = x;
  pthread_mutex_unlock(&L);
  if (seen == 0)
    abort();
  return argument;
}

static void *thread2(void *argument) {
  pthread_mutex_lock(&L);
  x = 1;
  pthread_cond_signal(&written);
  f6();
  pthread_mutex_unlock(&L);
  return argument;
}

int main(void) {
  pthread_t first;
  pthread_t second;
  pthread_create(&second, NULL, thread2, NULL);
  pthread_create(&first, NULL, thread1, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
