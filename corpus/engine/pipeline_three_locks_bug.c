// A pipeline of three stages; each holds the lock of the place it takes from and then locks the
// place it puts to. The third stage recycles from the output to the input and closes the circle:
// each of the three can hold one lock and wait for the next.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t inputLock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t cacheLock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t outputLock = PTHREAD_MUTEX_INITIALIZER;
static int input = 8;
static int cache;
static int output;

static void *parse(void *argument) {
  (void)argument;
  pthread_mutex_lock(&inputLock);
  pthread_mutex_lock(&cacheLock); // EXPECT: deadlock
  input -= 2;
  cache += 2;
  pthread_mutex_unlock(&cacheLock);
  pthread_mutex_unlock(&inputLock);
  return NULL;
}

static void *render(void *argument) {
  (void)argument;
  pthread_mutex_lock(&cacheLock);
  pthread_mutex_lock(&outputLock); // EXPECT: deadlock
  cache -= 1;
  output += 1;
  pthread_mutex_unlock(&outputLock);
  pthread_mutex_unlock(&cacheLock);
  return NULL;
}

static void *recycle(void *argument) {
  (void)argument;
  pthread_mutex_lock(&outputLock);
  pthread_mutex_lock(&inputLock); // EXPECT: deadlock
  input += 1;
  output -= 1;
  pthread_mutex_unlock(&inputLock);
  pthread_mutex_unlock(&outputLock);
  return NULL;
}

int main(void) {
  pthread_t stages[3];
  pthread_create(&stages[0], NULL, parse, NULL);
  pthread_create(&stages[1], NULL, render, NULL);
  pthread_create(&stages[2], NULL, recycle, NULL);
  for (int i = 0; i < 3; ++i)
    pthread_join(stages[i], NULL);
  assert(input == 7 && cache == 1 && output == 0);
  return 0;
}
