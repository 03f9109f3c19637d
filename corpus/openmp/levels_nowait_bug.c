// heddle-corpus: flags=-fopenmp
// Computes a level of a pyramid from the one below. The first loop has no barrier at its end
// (nowait), so the second one reads cells that another thread of the team has not written yet.
#include <assert.h>

enum { CELLS = 4 };

static int lower[CELLS];
static int upper[CELLS];

int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < CELLS; ++i)
      lower[i] = i + 1; // RACE!
#pragma omp for schedule(static)
    for (int i = 0; i < CELLS; ++i)
      upper[i] = lower[i / 2]; // RACE!
  }
  for (int i = 0; i < CELLS; ++i)
    assert(upper[i] == i / 2 + 1); // EXPECT: assertion
  return 0;
}
