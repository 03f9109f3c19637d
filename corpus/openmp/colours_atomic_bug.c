// heddle-corpus: flags=-fopenmp
// A histogram: both threads of the team count colours in the same bins, and counts get lost.
#include <assert.h>

enum { PIXELS = 6, COLOURS = 2 };

static int bins[COLOURS];

int main(void) {
#pragma omp parallel for num_threads(2) schedule(static)
  for (int i = 0; i < PIXELS; ++i)
    bins[i % COLOURS] += 1; // RACE!
  assert(bins[0] + bins[1] == PIXELS); // EXPECT: assertion
  return 0;
}
