// A relaxation over two arrays with a barrier between reading and writing, and between writing and
// reading again. No lock protects the cells; the barriers alone order the phases.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

enum { THREADS = 3, ROUNDS = 4 };

static pthread_barrier_t barrier;
static int cells[THREADS];
static int next[THREADS];

static int neighbour_sum(int index) {
  int left = cells[(index + THREADS - 1) % THREADS]; // NORACE
  int right = cells[(index + 1) % THREADS];          // NORACE
  return left + right;
}

static void *relax(void *argument) {
  int index = *(const int *)argument;
  for (int round = 0; round < ROUNDS; ++round) {
    next[index] = neighbour_sum(index) / 2; // NORACE
    pthread_barrier_wait(&barrier);
    cells[index] = next[index]; // NORACE
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int indices[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; ++i) {
    cells[i] = 8 * i; // NORACE
    indices[i] = i;
  }
  for (int i = 0; i < THREADS; ++i)
    pthread_create(&threads[i], NULL, relax, &indices[i]);
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
  int sum = 0;
  for (int i = 0; i < THREADS; ++i)
    sum += cells[i]; // NORACE
  return sum <= 24 ? 0 : 1;
}
