// heddle-corpus: flags=-fopenmp
// A task adds the weight of one branch while its parent adds its own: the parent waits for the task
// only after that, and one of the two weights can get lost.
#include <assert.h>

int main(void) {
  int weight = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(weight)
    weight += 2; // RACE!
    weight += 1; // RACE!
#pragma omp taskwait
  }
  assert(weight == 3); // EXPECT: assertion
  return 0;
}
