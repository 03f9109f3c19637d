// The region's threads are gone after it.
// clang-format off
// RACY: /* nobody */ => total = i;
// clang-format on
static int a[100];
static int total;

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) {
    a[i] = total;
    /* nobody */
  }
  total = 5;
#pragma omp parallel for
  for (int i = 0; i < 100; ++i)
    a[i] += total;
  return a[0];
}
