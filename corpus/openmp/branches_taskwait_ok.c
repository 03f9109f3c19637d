// heddle-corpus: flags=-fopenmp
// A task adds the weight of one branch, and its parent adds its own when the task is done.
#include <assert.h>

int main(void) {
  int weight = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(weight)
    weight += 2; // NORACE
#pragma omp taskwait
    weight += 1; // NORACE
  }
  assert(weight == 3);
  return 0;
}
