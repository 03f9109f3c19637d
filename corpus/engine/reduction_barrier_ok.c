// A parallel reduction: each worker computes a part, all meet at a pthread barrier, the thread that
// the barrier names as serial adds the parts up, and all meet again before they use the total.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

enum { workerCount = 3 };

static pthread_barrier_t summed;
static int partial[workerCount];
static int total;
static int percent[workerCount];
static unsigned checksums[workerCount];

static unsigned checksum(unsigned value) {
  for (int i = 0; i < 20000; ++i)
    value = value * 1664525u + 1013904223u;
  return value;
}

static void addUp(void) {
  for (int i = 0; i < workerCount; ++i)
    total += partial[i]; // NORACE
}

static void *work(void *argument) {
  int self = *(int *)argument;
  partial[self] = 10 * (self + 1);
  if (pthread_barrier_wait(&summed) == PTHREAD_BARRIER_SERIAL_THREAD)
    addUp();
  checksums[self] = checksum(partial[self]);
  pthread_barrier_wait(&summed);
  percent[self] = 100 * partial[self] / (total ? total : 1); // NORACE
  return NULL;
}

int main(void) {
  pthread_barrier_init(&summed, NULL, workerCount);
  int indices[workerCount] = {0, 1, 2};
  pthread_t workers[workerCount];
  for (int i = 0; i < workerCount; ++i)
    pthread_create(&workers[i], NULL, work, &indices[i]);
  for (int i = 0; i < workerCount; ++i)
    pthread_join(workers[i], NULL);
  assert(percent[0] == 16 && percent[1] == 33 && percent[2] == 50);
  pthread_barrier_destroy(&summed);
  return 0;
}
