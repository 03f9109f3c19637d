// A task that depends on what another writes is executed after it.
// clang-format off
// RACY: depend(in : x) => depend(in : y)
// RACY: depend(out : x) => depend(in : x)
// clang-format on
static int x, y, z;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1;
#pragma omp task depend(in : x)
    z = x;
  }
  return z + y;
}
