// Two arrays that are computed from each other, step by step.
// clang-format off
// RACY: now[i] = next[i]; => now[i] = next[i], next[i] += now[i - 1];
// RACY: #pragma omp for /* first */ => _Pragma("omp for nowait")
// clang-format on
#define N 64
static double now[N], next[N];

int main(void) {
#pragma omp parallel
  for (int step = 0; step < 10; ++step) {
#pragma omp for /* first */
    for (int i = 1; i < N - 1; ++i)
      next[i] = now[i - 1] + now[i + 1];
#pragma omp for
    for (int i = 1; i < N - 1; ++i)
      now[i] = next[i];
  }
  return now[1] > 0;
}
