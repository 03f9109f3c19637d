// Figure 1 of "Race Directed Random Testing of Concurrent Programs" (Sen, PLDI 2008). The accesses
// to z (5 and 7) race, and ERROR1 is reached when thread2 writes first. The accesses to x (1 and
// 10) seem to race, but y orders them: when thread2 sees y == 1 under the lock, x was written
// before.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t L = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int y;
static int z;

static void *thread1(void *argument) {
  x = 1;
  pthread_mutex_lock(&L);
  y = 1;
  pthread_mutex_unlock(&L);
  if (z == 1) // RACE: z
    abort();  // EXPECT: assertion
  return argument;
}

static void *thread2(void *argument) {
  z = 1; // RACE: z
  pthread_mutex_lock(&L);
  if (y == 1) {
    if (x != 1) {
      abort();
    }
  }
  pthread_mutex_unlock(&L);
  return argument;
}

int main(void) {
  pthread_t first;
  pthread_t second;
  pthread_create(&first, NULL, thread1, NULL);
  pthread_create(&second, NULL, thread2, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
