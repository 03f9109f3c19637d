// Spin locks and barriers.
#include "check.h"

#include <pthread.h>

static pthread_spinlock_t spin;
static int inside, total;

static void* spinAround(void* argument) {
  for (int i = 0; i < 5; ++i) {
    if (i % 2 == 0)
      CHECK_EQ(pthread_spin_lock(&spin), 0);
    else
      while (pthread_spin_trylock(&spin) == EBUSY)
        ;
    CHECK_EQ(inside++, 0);
    sched_yield();
    ++total;
    CHECK_EQ(--inside, 0);
    CHECK_EQ(pthread_spin_unlock(&spin), 0);
  }
  return argument;
}

static void spins(void) {
  CHECK_EQ(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE), 0);
  CHECK_EQ(pthread_spin_lock(&spin), 0);
  CHECK_EQ(pthread_spin_trylock(&spin), EBUSY);
  CHECK_EQ(pthread_spin_unlock(&spin), 0);
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, spinAround, NULL);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  CHECK_EQ(total, 20);
  CHECK_EQ(pthread_spin_destroy(&spin), 0);
}

enum { kThreads = 4, kRounds = 5 };

static pthread_barrier_t barrier;
static int arrived[kRounds], serials;

static void* meet(void* argument) {
  for (int round = 0; round < kRounds; ++round) {
    __atomic_add_fetch(&arrived[round], 1, __ATOMIC_SEQ_CST);
    int result = pthread_barrier_wait(&barrier);
    CHECK(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD)
      __atomic_add_fetch(&serials, 1, __ATOMIC_SEQ_CST);
    CHECK_EQ(__atomic_load_n(&arrived[round], __ATOMIC_SEQ_CST), kThreads);
  }
  return argument;
}

static void barriers(void) {
  CHECK_EQ(pthread_barrier_init(&barrier, NULL, 0), EINVAL);
  CHECK_EQ(pthread_barrier_init(&barrier, NULL, 1), 0);
  CHECK_EQ(pthread_barrier_wait(&barrier), PTHREAD_BARRIER_SERIAL_THREAD);
  CHECK_EQ(pthread_barrier_destroy(&barrier), 0);
  CHECK_EQ(pthread_barrier_init(&barrier, NULL, kThreads), 0);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, meet, NULL);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  CHECK_EQ(serials, kRounds);
  CHECK_EQ(pthread_barrier_destroy(&barrier), 0);
}

/* The serial thread may destroy the barrier while the others are still on their way out. */
static void* meetOnce(void* argument) {
  pthread_barrier_t* once = argument;
  int result = pthread_barrier_wait(once);
  if (result == PTHREAD_BARRIER_SERIAL_THREAD) {
    CHECK_EQ(pthread_barrier_destroy(once), 0);
    free(once);
  }
  return NULL;
}

static void destroyAtOnce(void) {
  for (int i = 0; i < 5; ++i) {
    pthread_barrier_t* once = malloc(sizeof *once);
    pthread_barrier_init(once, NULL, 3);
    pthread_t threads[3];
    for (int j = 0; j < 3; ++j)
      pthread_create(&threads[j], NULL, meetOnce, once);
    for (int j = 0; j < 3; ++j)
      pthread_join(threads[j], NULL);
  }
}

int main(void) {
  spins();
  barriers();
  destroyAtOnce();
  return 0;
}
