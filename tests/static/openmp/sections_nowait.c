// After the barrier of the sections all of them are done.
// clang-format off
// RACY: #pragma omp sections => _Pragma("omp sections nowait")
// clang-format on
static int left, right;
static int a[100];

int main(void) {
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      left = 1;
#pragma omp section
      right = 2;
    }
#pragma omp for
    for (int i = 0; i < 100; ++i)
      a[i] = left + right;
  }
  return a[0];
}
