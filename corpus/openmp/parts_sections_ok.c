// heddle-corpus: flags=-fopenmp
// Two sections, each done by one thread, have a length of their own; who started them adds up.
#include <assert.h>

int main(void) {
  int first = 0, second = 0;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    first += 3; // NORACE
#pragma omp section
    second += 4; // NORACE
  }
  assert(first + second == 7);
  return 0;
}
