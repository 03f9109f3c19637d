// A price list behind a read-write lock that prefers writers, as glibc offers it. The lock is taken
// for reading once per sum; the helper that reads one price expects it to be held.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t priceLock;
static int prices[2] = {5, 7};
static int basket;

static int priceLocked(int item) {
  return prices[item]; // NORACE
}

static void *sumBasket(void *argument) {
  (void)argument;
  pthread_rwlock_rdlock(&priceLock);
  basket = priceLocked(0) + priceLocked(1);
  pthread_rwlock_unlock(&priceLock);
  return NULL;
}

static void *reprice(void *argument) {
  (void)argument;
  pthread_rwlock_wrlock(&priceLock);
  prices[0] = 6; // NORACE
  prices[1] = 8; // NORACE
  pthread_rwlock_unlock(&priceLock);
  return NULL;
}

int main(void) {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&priceLock, &attributes);
  pthread_rwlockattr_destroy(&attributes);

  pthread_t shopper;
  pthread_t clerk;
  pthread_create(&shopper, NULL, sumBasket, NULL);
  pthread_create(&clerk, NULL, reprice, NULL);
  pthread_join(shopper, NULL);
  pthread_join(clerk, NULL);
  assert(basket == 12 || basket == 14);
  pthread_rwlock_destroy(&priceLock);
  return 0;
}
