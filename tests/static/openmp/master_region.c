// The first thread sets what all read after a barrier: master has none of its own.
// clang-format off
// RACY: #pragma omp barrier => /* nothing */
// clang-format on
static int limit;
static int a[100];

int main(void) {
#pragma omp parallel
  {
#pragma omp master
    limit = 10;
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < 100; ++i)
      a[i] = limit;
  }
  return a[1];
}
