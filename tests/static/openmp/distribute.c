// Teams that share a loop.
// clang-format off
// RACY: a[i] = 1; => a[0] = 1;
// clang-format on
static int a[100];

int main(void) {
#pragma omp teams distribute parallel for
  for (int i = 0; i < 100; ++i)
    a[i] = 1;
  return a[1];
}
