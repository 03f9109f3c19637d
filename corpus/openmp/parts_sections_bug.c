// heddle-corpus: flags=-fopenmp
// Two sections, each done by one thread, add the length of their part to a common length.
#include <assert.h>

int main(void) {
  int length = 0;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    length += 3; // RACE!
#pragma omp section
    length += 4; // RACE!
  }
  assert(length == 7); // EXPECT: assertion
  return 0;
}
