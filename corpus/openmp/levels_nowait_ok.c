// heddle-corpus: flags=-fopenmp
// Computes a level of a pyramid from the one below. The first loop ends with a barrier: all cells
// of the lower level are there before the upper one is begun.
#include <assert.h>

enum { CELLS = 4 };

static int lower[CELLS];
static int upper[CELLS];

int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(static)
    for (int i = 0; i < CELLS; ++i)
      lower[i] = i + 1; // NORACE
#pragma omp for schedule(static)
    for (int i = 0; i < CELLS; ++i)
      upper[i] = lower[i / 2]; // NORACE
  }
  for (int i = 0; i < CELLS; ++i)
    assert(upper[i] == i / 2 + 1);
  return 0;
}
