// heddle-corpus: flags=-fopenmp
// Counts the visits of two doors. The counter is a plain variable that both threads of the team
// change: of two visits at the same time one gets lost.
#include <assert.h>

enum { DOORS = 2, VISITS = 2 };

static int visits;

static void enter(void) {
  visits = visits + 1; // RACE!
}

int main(void) {
#pragma omp parallel num_threads(DOORS)
  for (int i = 0; i < VISITS; ++i)
    enter();
  assert(visits == DOORS * VISITS); // EXPECT: assertion
  return 0;
}
