// C11 threads with their return codes.
#include "check.h"

#include <stdint.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t condition;
static int ready, inside, total;

static int answer(void* argument) { return *(int*)argument; }

static int leave(void* argument) {
  (void)argument;
  thrd_exit(-5);
}

static void results(void) {
  int value = -3;
  thrd_t thread;
  CHECK_EQ(thrd_create(&thread, answer, &value), thrd_success);
  CHECK(!thrd_equal(thread, thrd_current()));
  int result = 0;
  CHECK_EQ(thrd_join(thread, &result), thrd_success);
  CHECK_EQ(result, -3);
  CHECK_EQ(thrd_create(&thread, leave, NULL), thrd_success);
  CHECK_EQ(thrd_join(thread, &result), thrd_success);
  CHECK_EQ(result, -5);
  CHECK_EQ(thrd_create(&thread, leave, NULL), thrd_success);
  CHECK_EQ(thrd_detach(thread), thrd_success);
  CHECK_EQ(thrd_join(thrd_current(), NULL), thrd_error);
}

static int tryFromOutside(void* argument) {
  struct timespec soon = afterMillis(CLOCK_REALTIME, 3);
  CHECK_EQ(mtx_timedlock(argument, &soon), thrd_timedout);
  return mtx_trylock(argument);
}

static void mutexes(void) {
  mtx_t recursive;
  CHECK_EQ(mtx_init(&recursive, mtx_timed | mtx_recursive), thrd_success);
  CHECK_EQ(mtx_lock(&recursive), thrd_success);
  CHECK_EQ(mtx_trylock(&recursive), thrd_success);
  thrd_t thread;
  thrd_create(&thread, tryFromOutside, &recursive);
  int result;
  thrd_join(thread, &result);
  CHECK_EQ(result, thrd_busy);
  CHECK_EQ(mtx_unlock(&recursive), thrd_success);
  CHECK_EQ(mtx_unlock(&recursive), thrd_success);
  CHECK_EQ(mtx_unlock(&recursive), thrd_error);
  mtx_destroy(&recursive);
}

static int waiter(void* argument) {
  mtx_lock(&mutex);
  while (!ready)
    CHECK_EQ(cnd_wait(&condition, &mutex), thrd_success);
  CHECK_EQ(inside++, 0);
  thrd_yield();
  ++total;
  --inside;
  mtx_unlock(&mutex);
  return argument == NULL;
}

static void conditions(void) {
  CHECK_EQ(mtx_init(&mutex, mtx_plain), thrd_success);
  CHECK_EQ(cnd_init(&condition), thrd_success);
  mtx_lock(&mutex);
  struct timespec soon = afterMillis(CLOCK_REALTIME, 3);
  CHECK_EQ(cnd_timedwait(&condition, &mutex, &soon), thrd_timedout);
  mtx_unlock(&mutex);
  thrd_t threads[3];
  for (int i = 0; i < 3; ++i)
    thrd_create(&threads[i], waiter, NULL);
  mtx_lock(&mutex);
  ready = 1;
  CHECK_EQ(cnd_signal(&condition), thrd_success);
  CHECK_EQ(cnd_broadcast(&condition), thrd_success);
  mtx_unlock(&mutex);
  for (int i = 0; i < 3; ++i) {
    int result = 0;
    thrd_join(threads[i], &result);
    CHECK_EQ(result, 1);
  }
  CHECK_EQ(total, 3);
  cnd_destroy(&condition);
  mtx_destroy(&mutex);
}

static once_flag once = ONCE_FLAG_INIT;
static int onceCalls;
static void routine(void) { ++onceCalls; }

static tss_t key;
static int destroyed;
static void destroy(void* value) { destroyed += (int)(intptr_t)value; }

static int useKey(void* argument) {
  call_once(&once, routine);
  CHECK_EQ(tss_get(key), 0);
  CHECK_EQ(tss_set(key, argument), thrd_success);
  thrd_yield();
  CHECK_EQ(tss_get(key), argument);
  return 0;
}

static void keysAndOnce(void) {
  CHECK_EQ(tss_create(&key, destroy), thrd_success);
  thrd_t threads[3];
  for (intptr_t i = 0; i < 3; ++i)
    thrd_create(&threads[i], useKey, (void*)(i + 1));
  for (int i = 0; i < 3; ++i)
    thrd_join(threads[i], NULL);
  CHECK_EQ(onceCalls, 1);
  CHECK_EQ(destroyed, 6);
  tss_delete(key);
}

static void sleeping(void) {
  struct timespec span = {0, 2000000};
  long long start = nanosNow(CLOCK_MONOTONIC);
  CHECK_EQ(thrd_sleep(&span, NULL), 0);
  CHECK(nanosNow(CLOCK_MONOTONIC) - start >= 2000000);
  span.tv_nsec = -1;
  CHECK(thrd_sleep(&span, NULL) < -1);
}

int main(void) {
  results();
  mutexes();
  conditions();
  keysAndOnce();
  sleeping();
  return 0;
}
