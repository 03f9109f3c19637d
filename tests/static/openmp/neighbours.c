// A loop that reads its neighbour's element writes another array.
// clang-format off
// RACY: next[i] = now[i - 1]; => now[i] = now[i - 1];
// RACY: next[i] = now[i - 1]; => next[i - 1] = next[i];
// clang-format on
#define N 100
static int now[N], next[N];

int main(void) {
#pragma omp parallel for
  for (int i = 1; i < N; ++i)
    next[i] = now[i - 1];
  return next[3];
}
