// A simulation in two phases, with threads for each phase. main prepares the second phase before it
// has joined the threads of the first.
#include <pthread.h>
#include <stddef.h>

enum { CELLS = 8, HALF = CELLS / 2 };

static int field[CELLS];
static int offset;

static void *grow(void *argument) {
  int *cells = argument;
  for (int i = 0; i < HALF; ++i)
    cells[i] += offset + i; // RACE!
  return NULL;
}

static void *decay(void *argument) {
  int *cells = argument;
  for (int i = 0; i < HALF; ++i)
    cells[i] -= offset; // NORACE
  return NULL;
}

static void start_phase(pthread_t *threads, void *(*phase)(void *)) {
  pthread_create(&threads[0], NULL, phase, &field[0]);
  pthread_create(&threads[1], NULL, phase, &field[HALF]);
}

static void finish_phase(const pthread_t *threads) {
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}

int main(void) {
  pthread_t growing[2], decaying[2];
  for (int i = 0; i < CELLS; ++i)
    field[i] = 10; // NORACE
  offset = 5;      // NORACE

  start_phase(growing, grow);
  offset = 1; // RACE!
  finish_phase(growing);

  field[0] = 0; // NORACE
  start_phase(decaying, decay);
  finish_phase(decaying);

  int sum = 0;
  for (int i = 0; i < CELLS; ++i)
    sum += field[i]; // NORACE
  return sum >= 0 ? 0 : 1;
}
