// What all have done before a barrier is done for all after it.
// clang-format off
// RACY: #pragma omp barrier => /* nothing */
// clang-format on
#include <omp.h>

static int a[64];
static int b[64];

int main(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    a[me] = me;
#pragma omp barrier
    b[me] = a[(me + 1) % 64];
  }
  return b[0];
}
