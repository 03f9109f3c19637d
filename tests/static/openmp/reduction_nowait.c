// A sum is complete after the barrier of its loop, not before.
// clang-format off
// RACY: for reduction(+ : sum) => for reduction(+ : sum) nowait
// clang-format on
#define N 100
static int a[N];
static int b[N];

int main(void) {
  int sum = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < N; ++i)
      sum += a[i];
#pragma omp for
    for (int i = 0; i < N; ++i)
      b[i] = sum;
  }
  return b[0];
}
