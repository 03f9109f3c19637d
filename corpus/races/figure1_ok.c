// Figure 1 of "Race Directed Random Testing of Concurrent Programs" (Sen, PLDI 2008) without its
// race: z is accessed under the lock, and only written by a thread that has seen y == 1, so thread1
// never sees it. The accesses to x still have no common lock; y orders them.
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
  int seen = z;
  pthread_mutex_unlock(&L);
  if (seen == 1)
    abort();
  return argument;
}

static void *thread2(void *argument) {
  pthread_mutex_lock(&L);
  if (y == 1) {
    z = 1;
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
