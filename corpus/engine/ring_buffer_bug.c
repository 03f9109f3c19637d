// A ring buffer of one slot between a producer and two consumers, with one condition variable for
// "not full" and "not empty". pthread_cond_signal may wake a thread of the wrong kind, which only
// waits again; the thread that could go on is never woken and all of them sleep.
#include <assert.h>
#include <pthread.h>

struct Ring {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int slot;
  int full;
};

static struct Ring ring = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
static int total;

static void put(int value) {
  pthread_mutex_lock(&ring.mutex);
  while (ring.full)
    pthread_cond_wait(&ring.changed, &ring.mutex); // EXPECT: deadlock
  ring.slot = value;
  ring.full = 1;
  pthread_cond_signal(&ring.changed);
  pthread_mutex_unlock(&ring.mutex);
}

static void take(void) {
  pthread_mutex_lock(&ring.mutex);
  while (!ring.full)
    pthread_cond_wait(&ring.changed, &ring.mutex); // EXPECT: deadlock
  total += ring.slot;
  ring.full = 0;
  pthread_cond_signal(&ring.changed);
  pthread_mutex_unlock(&ring.mutex);
}

static void *produce(void *argument) {
  const int *values = argument;
  put(values[0]);
  put(values[1]);
  return NULL;
}

static void *consume(void *argument) {
  (void)argument;
  take();
  return NULL;
}

int main(void) {
  int values[2] = {10, 20};
  pthread_t producer;
  pthread_t consumers[2];
  pthread_create(&producer, NULL, produce, values);
  for (int i = 0; i < 2; ++i)
    pthread_create(&consumers[i], NULL, consume, NULL);
  pthread_join(producer, NULL);
  for (int i = 0; i < 2; ++i)
    pthread_join(consumers[i], NULL);
  assert(total == 30);
  return 0;
}
