// Each section is executed by one thread.
// clang-format off
// RACY: right = 2; => left = 2;
// clang-format on
static int left, right;

int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    left = 1;
#pragma omp section
    right = 2;
  }
  return left + right;
}
