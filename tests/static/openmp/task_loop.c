// The tasks of a loop share its iterations.
// clang-format off
// RACY: a[i] = 1; => a[i / 2] = 1;
// RACY: a[i] = 1; => a[i] = 1, last = i;
// clang-format on
static int a[100];
static int last;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop
    for (int i = 0; i < 100; ++i)
      a[i] = 1;
  }
  return a[1] + last;
}
