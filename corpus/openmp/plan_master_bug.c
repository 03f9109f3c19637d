// heddle-corpus: flags=-fopenmp
// The master thread writes the plan that the whole team then follows. Other than single, master
// has no barrier at its end.
#include <assert.h>

static int plan;
static int followed[3];

int main(void) {
#pragma omp parallel num_threads(3)
  {
    int own = 0;
#pragma omp master
    plan = 5; // RACE!
    own = plan; // RACE!
#pragma omp critical
    followed[own == 5] += 1;
  }
  assert(followed[1] == 3); // EXPECT: assertion
  return 0;
}
