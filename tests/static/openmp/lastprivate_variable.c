// The last iteration's value is copied back by its thread.
// clang-format off
// RACY: lastprivate(x) => shared(x)
// clang-format on
#define N 100
static int a[N];

int main(void) {
  int x = 0;
#pragma omp parallel for lastprivate(x)
  for (int i = 0; i < N; ++i) {
    x = i;
    a[i] = x;
  }
  return x;
}
