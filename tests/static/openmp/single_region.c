// One thread sets what all read after its barrier.
// clang-format off
// RACY: #pragma omp single => _Pragma("omp single nowait")
// RACY: #pragma omp single => /* nothing */
// clang-format on
static int limit;
static int a[100];

int main(void) {
#pragma omp parallel
  {
#pragma omp single
    limit = 10;
#pragma omp for
    for (int i = 0; i < 100; ++i)
      a[i] = limit;
  }
  return a[1];
}
