// Each task has its own copy of the number.
// clang-format off
// RACY: a[i] = i; => a[0] = i;
// RACY: firstprivate(i) => shared(i)
// clang-format on
static int a[100];

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    int i;
    for (i = 0; i < 10; ++i) {
#pragma omp task firstprivate(i)
      {
        i += 1;
        if (i > 10)
          __builtin_printf("%d", i);
      }
    }
#pragma omp taskwait
  }
  int k = 0;
#pragma omp parallel for
  for (int i = 0; i < 100; ++i)
    a[i] = i;
  return a[1] + k;
}
