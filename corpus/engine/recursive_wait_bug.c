// A warehouse guarded by a recursive mutex. buy() locks it and calls take(), which locks it again
// and waits for stock; the wait gives up only one of the two levels. If the buyer comes before the
// supplier, the supplier can never lock the warehouse and the buyer is never woken.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t inventory;
static pthread_cond_t restocked = PTHREAD_COND_INITIALIZER;
static int stock;
static int sold;

static void take(int count) {
  pthread_mutex_lock(&inventory);
  while (stock < count)
    pthread_cond_wait(&restocked, &inventory); // EXPECT: deadlock
  stock -= count;
  pthread_mutex_unlock(&inventory);
}

static void *buy(void *argument) {
  (void)argument;
  pthread_mutex_lock(&inventory);
  take(2);
  sold += 2;
  pthread_mutex_unlock(&inventory);
  return NULL;
}

static void *supply(void *argument) {
  (void)argument;
  pthread_mutex_lock(&inventory); // EXPECT: deadlock
  stock += 3;
  pthread_cond_broadcast(&restocked);
  pthread_mutex_unlock(&inventory);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&inventory, &attributes);
  pthread_mutexattr_destroy(&attributes);

  pthread_t supplier;
  pthread_t buyer;
  pthread_create(&supplier, NULL, supply, NULL);
  pthread_create(&buyer, NULL, buy, NULL);
  pthread_join(supplier, NULL);
  pthread_join(buyer, NULL);
  assert(sold == 2 && stock == 1);
  pthread_mutex_destroy(&inventory);
  return 0;
}
