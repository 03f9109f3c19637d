// Each thread has the element of its number.
// clang-format off
// RACY: counts[me] += 1; => counts[me / 2] += 1;
// RACY: counts[me] += 1; => counts[me + 1] += counts[me];
// clang-format on
#include <omp.h>

static int counts[256];

int main(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    counts[me] += 1;
  }
  return counts[0];
}
