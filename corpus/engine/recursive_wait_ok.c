// A warehouse guarded by a recursive mutex. The buyer holds exactly one level of it when it waits
// for stock, so the wait really releases the mutex; only code that never waits locks it again.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t inventory;
static pthread_cond_t restocked = PTHREAD_COND_INITIALIZER;
static int stock;
static int sold;

static void takeLocked(int count) {
  while (stock < count)
    pthread_cond_wait(&restocked, &inventory);
  stock -= count; // NORACE
}

static void recordSale(int count) {
  pthread_mutex_lock(&inventory);
  sold += count;
  pthread_mutex_unlock(&inventory);
}

static void *buy(void *argument) {
  (void)argument;
  pthread_mutex_lock(&inventory);
  takeLocked(2);
  recordSale(2);
  pthread_mutex_unlock(&inventory);
  return NULL;
}

static void *supply(void *argument) {
  (void)argument;
  pthread_mutex_lock(&inventory);
  stock += 3; // NORACE
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
