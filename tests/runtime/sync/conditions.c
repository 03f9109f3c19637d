// Condition variables: wake-ups, timeouts on both clocks, errors, and a queue between threads.
#include "check.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_cond_t second = PTHREAD_COND_INITIALIZER;

static void timeouts(void) {
  pthread_mutex_lock(&mutex);
  long long start = nanosNow(CLOCK_REALTIME);
  struct timespec soon = afterMillis(CLOCK_REALTIME, 5);
  CHECK_EQ(pthread_cond_timedwait(&condition, &mutex, &soon), ETIMEDOUT);
  CHECK(nanosNow(CLOCK_REALTIME) - start >= 5000000);
  CHECK_EQ(pthread_mutex_trylock(&mutex), EBUSY); // held again
  CHECK_EQ(pthread_cond_timedwait(&condition, &mutex, &soon), ETIMEDOUT);
  start = nanosNow(CLOCK_MONOTONIC);
  soon = afterMillis(CLOCK_MONOTONIC, 5);
  CHECK_EQ(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
  CHECK(nanosNow(CLOCK_MONOTONIC) - start >= 5000000);
  CHECK_EQ(pthread_cond_clockwait(&condition, &mutex, CLOCK_THREAD_CPUTIME_ID, &soon), EINVAL);
  soon.tv_nsec = -1;
  CHECK_EQ(pthread_cond_timedwait(&condition, &mutex, &soon), EINVAL);
  soon.tv_nsec = 1000000000;
  CHECK_EQ(pthread_cond_timedwait(&condition, &mutex, &soon), EINVAL);
  struct timespec ancient = {-1, 0};
  CHECK_EQ(pthread_cond_timedwait(&condition, &mutex, &ancient), ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
}

static void clockOfAttribute(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  CHECK_EQ(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC), 0);
  pthread_cond_t monotonic;
  CHECK_EQ(pthread_cond_init(&monotonic, &attributes), 0);
  pthread_mutex_lock(&mutex);
  long long start = nanosNow(CLOCK_MONOTONIC);
  struct timespec soon = afterMillis(CLOCK_MONOTONIC, 5);
  CHECK_EQ(pthread_cond_timedwait(&monotonic, &mutex, &soon), ETIMEDOUT);
  long long waited = nanosNow(CLOCK_MONOTONIC) - start;
  CHECK(waited >= 5000000 && waited < 5000000000ll);
  pthread_mutex_unlock(&mutex);
  CHECK_EQ(pthread_cond_destroy(&monotonic), 0);
}

static void wrongMutex(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_t checking;
  pthread_mutex_init(&checking, &attributes);
  CHECK_EQ(pthread_cond_wait(&condition, &checking), EPERM);
  pthread_mutex_destroy(&checking);
}

static int go, awake;

static void* sleeper(void* argument) {
  pthread_mutex_lock(&mutex);
  while (!go)
    CHECK_EQ(pthread_cond_wait(&condition, &mutex), 0);
  ++awake;
  pthread_cond_signal(&second);
  pthread_mutex_unlock(&mutex);
  return argument;
}

static void broadcastWakesAll(void) {
  pthread_t threads[5];
  go = awake = 0;
  for (int i = 0; i < 5; ++i)
    pthread_create(&threads[i], NULL, sleeper, NULL);
  sleepMillis(2);
  pthread_mutex_lock(&mutex);
  go = 1;
  pthread_cond_broadcast(&condition);
  while (awake < 5)
    pthread_cond_wait(&second, &mutex);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 5; ++i)
    pthread_join(threads[i], NULL);
}

static int tokens;

static void* taker(void* argument) {
  pthread_mutex_lock(&mutex);
  while (tokens == 0)
    pthread_cond_wait(&condition, &mutex);
  --tokens;
  pthread_mutex_unlock(&mutex);
  return argument;
}

/* One signal for each waiter must be enough: none is lost. */
static void signalsAreNotLost(void) {
  pthread_t threads[5];
  for (int i = 0; i < 5; ++i)
    pthread_create(&threads[i], NULL, taker, NULL);
  for (int i = 0; i < 5; ++i) {
    pthread_mutex_lock(&mutex);
    ++tokens;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&condition);
  }
  for (int i = 0; i < 5; ++i)
    pthread_join(threads[i], NULL);
  CHECK_EQ(tokens, 0);
}

enum { kSlots = 2, kItems = 20 };
static int buffer[kSlots], count, in, out;
static long sum;

static void* produce(void* argument) {
  for (int i = 1; i <= kItems; ++i) {
    pthread_mutex_lock(&mutex);
    while (count == kSlots)
      pthread_cond_wait(&second, &mutex);
    buffer[in] = i;
    in = (in + 1) % kSlots;
    ++count;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

static void* consume(void* argument) {
  for (int i = 1; i <= kItems; ++i) {
    pthread_mutex_lock(&mutex);
    struct timespec late = afterMillis(CLOCK_REALTIME, 60000);
    while (count == 0)
      CHECK_EQ(pthread_cond_timedwait(&condition, &mutex, &late), 0);
    sum += buffer[out];
    out = (out + 1) % kSlots;
    --count;
    pthread_cond_signal(&second);
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

static void boundedBuffer(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, i % 2 ? produce : consume, NULL);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  CHECK_EQ(sum, kItems * (kItems + 1));
  CHECK_EQ(count, 0);
}

/* A condition variable may be destroyed as soon as all waiters have been woken. */
struct Shared {
  pthread_cond_t condition;
  int ready;
};

static void* waitForReady(void* argument) {
  struct Shared* shared = argument;
  pthread_mutex_lock(&mutex);
  while (!shared->ready)
    pthread_cond_wait(&shared->condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void destroyAfterBroadcast(void) {
  struct Shared* shared = calloc(1, sizeof *shared);
  pthread_cond_init(&shared->condition, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, waitForReady, shared);
  pthread_mutex_lock(&mutex);
  shared->ready = 1;
  pthread_cond_broadcast(&shared->condition);
  pthread_mutex_unlock(&mutex);
  CHECK_EQ(pthread_cond_destroy(&shared->condition), 0);
  pthread_join(thread, NULL);
  free(shared);
}

int main(void) {
  timeouts();
  clockOfAttribute();
  wrongMutex();
  broadcastWakesAll();
  signalsAreNotLost();
  boundedBuffer();
  destroyAfterBroadcast();
  CHECK_EQ(pthread_cond_destroy(&condition), 0);
  CHECK_EQ(pthread_cond_destroy(&second), 0);
  return 0;
}
