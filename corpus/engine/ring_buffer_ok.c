// A ring buffer of one slot between a producer and two consumers. Producers and consumers wait on
// condition variables of their own, so a signal always reaches a thread that can go on.
#include <assert.h>
#include <pthread.h>

struct Ring {
  pthread_mutex_t mutex;
  pthread_cond_t notFull;
  pthread_cond_t notEmpty;
  int slot;
  int full;
};

static struct Ring ring = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
                           PTHREAD_COND_INITIALIZER, 0, 0};
static int total;

static void put(int value) {
  pthread_mutex_lock(&ring.mutex);
  while (ring.full)
    pthread_cond_wait(&ring.notFull, &ring.mutex);
  ring.slot = value; // NORACE
  ring.full = 1;
  pthread_cond_signal(&ring.notEmpty);
  pthread_mutex_unlock(&ring.mutex);
}

static void take(void) {
  pthread_mutex_lock(&ring.mutex);
  while (!ring.full)
    pthread_cond_wait(&ring.notEmpty, &ring.mutex);
  total += ring.slot; // NORACE
  ring.full = 0;
  pthread_cond_signal(&ring.notFull);
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
