// heddle-corpus: flags=-fopenmp
// A search counts its hits in a task of a group, and the caller adds its own hit after the group.
#include <assert.h>

int main(void) {
  int hits = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task shared(hits)
      hits += 2; // NORACE
    }
    hits += 1; // NORACE
  }
  assert(hits == 3);
  return 0;
}
