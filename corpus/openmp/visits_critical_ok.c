// heddle-corpus: flags=-fopenmp
// Counts the visits of two doors. All changes of the counter are in one critical section.
#include <assert.h>

enum { DOORS = 2, VISITS = 2 };

static int visits;

static void enter(void) {
#pragma omp critical(counter)
  visits = visits + 1; // NORACE
}

int main(void) {
#pragma omp parallel num_threads(DOORS)
  for (int i = 0; i < VISITS; ++i)
    enter();
  assert(visits == DOORS * VISITS);
  return 0;
}
