// A price list behind a read-write lock that prefers writers, as glibc offers it. sumBasket() holds
// it for reading and calls price(), which takes it for reading again; when a writer has queued up
// in between, the second read lock waits for the writer and the writer waits for the first.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t priceLock;
static int prices[2] = {5, 7};
static int basket;

static int price(int item) {
  pthread_rwlock_rdlock(&priceLock); // EXPECT: deadlock
  int result = prices[item];
  pthread_rwlock_unlock(&priceLock);
  return result;
}

static void *sumBasket(void *argument) {
  (void)argument;
  pthread_rwlock_rdlock(&priceLock);
  basket = price(0) + price(1);
  pthread_rwlock_unlock(&priceLock);
  return NULL;
}

static void *reprice(void *argument) {
  (void)argument;
  pthread_rwlock_wrlock(&priceLock); // EXPECT: deadlock
  prices[0] = 6;
  prices[1] = 8;
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
