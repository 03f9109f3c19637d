// Ordered regions of a loop are executed one after the other.
// clang-format off
// RACY: #pragma omp ordered => /* nothing */
// clang-format on
static int next;
static int a[100];

int main(void) {
#pragma omp parallel for ordered
  for (int i = 0; i < 100; ++i) {
    a[i] = i;
#pragma omp ordered
    next += a[i];
  }
  return next;
}
