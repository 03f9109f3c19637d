// A variable that each thread has for itself.
// clang-format off
// RACY: parallel for private(half) => parallel for
// clang-format on
#define N 100
static int a[N];
static int half;

int main(void) {
#pragma omp parallel for private(half)
  for (int i = 0; i < N; ++i) {
    half = i / 2;
    a[i] = half;
  }
  return a[3];
}
