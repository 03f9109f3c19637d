// Figure 2 of "Race Directed Random Testing of Concurrent Programs" (Sen, PLDI 2008). The accesses
// to x (8 and 10) race, and ERROR is reached when thread1 reads first. But thread1 has 5 * N
// statements to run before its read, and thread2 writes at its very beginning, so an ordinary
// schedule does not show it.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef N
#define N 40
#endif

static pthread_mutex_t L = PTHREAD_MUTEX_INITIALIZER;
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
  f1();
  f2();
  f3();
  f4();
  f5();
  pthread_mutex_unlock(&L);
  if (x == 0) // RACE: x
    abort();  // EXPECT: assertion
  return argument;
}

static void *thread2(void *argument) {
  x = 1; // RACE: x
  pthread_mutex_lock(&L);
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
