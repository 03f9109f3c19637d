// A variable of which each thread has its own.
// clang-format off
// RACY: #pragma omp threadprivate(mine) => /* nothing */
// clang-format on
static int mine;
#pragma omp threadprivate(mine)
static int a[100];

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) {
    mine += i;
    a[i] = mine;
  }
  return a[1];
}
