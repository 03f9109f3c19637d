// heddle-corpus: flags=-fopenmp
// One thread of the team reads the settings, all of them use them. A single region ends with a
// barrier.
#include <assert.h>

static int limit;

int main(void) {
  int wrong = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    limit = 7; // NORACE
    if (limit != 7) { // NORACE
#pragma omp atomic
      ++wrong;
    }
  }
  assert(wrong == 0);
  return 0;
}
