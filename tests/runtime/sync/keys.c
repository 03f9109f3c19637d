// Thread-specific data.
#include "check.h"

#include <limits.h>
#include <pthread.h>

static pthread_key_t counted, renewed, silent, deleted;
static int destroyed, rounds;

static void count(void* value) {
  CHECK_EQ(pthread_getspecific(counted), 0);
  destroyed += (int)(long)value;
}

static void renew(void* value) {
  ++rounds;
  pthread_setspecific(renewed, value);
}

static void never(void* value) {
  (void)value;
  CHECK(0);
}

static void* use(void* argument) {
  CHECK_EQ(pthread_getspecific(counted), 0);
  CHECK_EQ(pthread_setspecific(counted, argument), 0);
  CHECK_EQ(pthread_setspecific(renewed, argument), 0);
  CHECK_EQ(pthread_setspecific(silent, argument), 0);
  CHECK_EQ(pthread_setspecific(deleted, argument), 0);
  sched_yield();
  CHECK_EQ(pthread_getspecific(counted), argument);
  CHECK_EQ(pthread_key_delete(deleted), 0);
  CHECK_EQ(pthread_setspecific(deleted, argument), EINVAL);
  CHECK_EQ(pthread_getspecific(deleted), 0);
  return NULL;
}

static void* useCounted(void* argument) {
  CHECK_EQ(pthread_getspecific(counted), 0);
  pthread_setspecific(counted, argument);
  return NULL;
}

static void manyKeys(void) {
  static pthread_key_t keys[PTHREAD_KEYS_MAX];
  int made = 0;
  while (pthread_key_create(&keys[made], NULL) == 0)
    CHECK(++made < PTHREAD_KEYS_MAX);
  CHECK(made > 500);
  pthread_key_t extra;
  CHECK_EQ(pthread_key_create(&extra, NULL), EAGAIN);
  CHECK_EQ(pthread_setspecific(keys[made - 1], &extra), 0);
  CHECK_EQ(pthread_getspecific(keys[made - 1]), &extra);
  pthread_key_delete(keys[made - 1]);
  CHECK_EQ(pthread_key_create(&extra, NULL), 0);
  CHECK_EQ(pthread_getspecific(extra), 0);
  pthread_key_delete(extra);
  for (int i = 0; i + 1 < made; ++i)
    CHECK_EQ(pthread_key_delete(keys[i]), 0);
}

int main(void) {
  CHECK_EQ(pthread_key_create(&counted, count), 0);
  CHECK_EQ(pthread_key_create(&renewed, renew), 0);
  CHECK_EQ(pthread_key_create(&silent, NULL), 0);
  CHECK_EQ(pthread_key_create(&deleted, never), 0);
  pthread_t thread;
  pthread_create(&thread, NULL, use, (void*)3);
  pthread_join(thread, NULL);
  CHECK_EQ(destroyed, 3);
  CHECK_EQ(rounds, PTHREAD_DESTRUCTOR_ITERATIONS);
  CHECK_EQ(pthread_getspecific(counted), 0);
  CHECK_EQ(pthread_setspecific(deleted, NULL), EINVAL);
  CHECK_EQ(pthread_key_delete(deleted), EINVAL);
  pthread_t threads[10];
  for (long i = 0; i < 10; ++i)
    pthread_create(&threads[i], NULL, useCounted, (void*)(i + 1));
  for (int i = 0; i < 10; ++i)
    pthread_join(threads[i], NULL);
  CHECK_EQ(destroyed, 3 + 55);
  manyKeys();
  return 0;
}
