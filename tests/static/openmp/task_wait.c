// The parent reads what its task has made when it has waited for it.
// clang-format off
// RACY: #pragma omp taskwait => /* nothing */
// RACY: /* other */ => made = 2;
// clang-format on
int main(void) {
  int made = 0, read = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(made)
    made = 1;
    /* other */
#pragma omp taskwait
    read = made;
  }
  return read;
}
