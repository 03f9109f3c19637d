// Two tasks that have nothing in common, and one that reads both after them.
// clang-format off
// RACY: right = 2; => left = 2;
// RACY: #pragma omp taskwait => /* nothing */
// clang-format on
static int left, right, sum;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    left = 1;
#pragma omp task
    right = 2;
#pragma omp taskwait
#pragma omp task
    sum = left + right;
  }
  return sum;
}
