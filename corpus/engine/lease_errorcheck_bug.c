// A lease that only its holder may write under, made of an error-checking mutex. The watchdog ends
// a lease that it sees held by unlocking the mutex itself; only the owner may do that, so when the
// watchdog comes while a holder is at work, the unlock fails with EPERM.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lease;
static atomic_int held;
static int writes;

static void *holdLease(void *argument) {
  (void)argument;
  int status = pthread_mutex_lock(&lease);
  assert(status == 0);
  atomic_store(&held, 1);
  writes++;
  atomic_store(&held, 0);
  status = pthread_mutex_unlock(&lease);
  assert(status == 0);
  return NULL;
}

static void *watch(void *argument) {
  (void)argument;
  if (atomic_load(&held)) {
    int status = pthread_mutex_unlock(&lease);
    assert(status == 0); // EXPECT: assertion
  }
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&lease, &attributes);
  pthread_mutexattr_destroy(&attributes);

  pthread_t holders[2];
  pthread_t watchdog;
  for (int i = 0; i < 2; ++i)
    pthread_create(&holders[i], NULL, holdLease, NULL);
  pthread_create(&watchdog, NULL, watch, NULL);
  for (int i = 0; i < 2; ++i)
    pthread_join(holders[i], NULL);
  pthread_join(watchdog, NULL);
  assert(writes == 2);
  pthread_mutex_destroy(&lease);
  return 0;
}
