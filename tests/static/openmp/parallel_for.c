// The iterations of a loop are divided among the threads: each has elements of its own.
// clang-format off
// RACY: a[i] = i; => a[0] = i;
// RACY: a[i] = i; => a[i] = i, total += i;
// RACY: a[i] = i; => a[i / 2] = i;
// clang-format on
#define N 100
static int a[N];
static int total;

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < N; ++i)
    a[i] = i;
  return a[3] + total;
}
