// heddle-corpus: flags=-fopenmp
// The master thread writes the plan, and a barrier keeps the team from following it before.
#include <assert.h>

static int plan;
static int followed[3];

int main(void) {
#pragma omp parallel num_threads(3)
  {
    int own = 0;
#pragma omp master
    plan = 5; // NORACE
#pragma omp barrier
    own = plan; // NORACE
#pragma omp critical
    followed[own == 5] += 1;
  }
  assert(followed[1] == 3);
  return 0;
}
