// heddle-corpus: flags=-fopenmp
// A search counts its hits in a task. The task is started before the group that is to wait for it,
// so that the count goes on while the caller adds its own hit.
#include <assert.h>

int main(void) {
  int hits = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(hits)
    hits += 2; // RACE!
#pragma omp taskgroup
    {
    }
    hits += 1; // RACE!
  }
  assert(hits == 3); // EXPECT: assertion
  return 0;
}
