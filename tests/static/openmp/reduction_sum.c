// Threads add up on their own, and put their sums together at the end.
// clang-format off
// RACY: reduction(+ : sum) => shared(sum)
// clang-format on
#define N 100
static int a[N];

int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < N; ++i)
    sum += a[i];
  return sum;
}
