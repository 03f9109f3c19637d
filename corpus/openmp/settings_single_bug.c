// heddle-corpus: flags=-fopenmp
// One thread of the team reads the settings, all of them use them. With nowait the others do not
// wait for the one that reads.
#include <assert.h>

static int limit;

int main(void) {
  int wrong = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp single nowait
    limit = 7; // RACE!
    if (limit != 7) { // RACE!
#pragma omp atomic
      ++wrong;
    }
  }
  assert(wrong == 0); // EXPECT: assertion
  return 0;
}
