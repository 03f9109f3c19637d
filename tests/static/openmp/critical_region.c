// One thread at a time.
// clang-format off
// RACY: #pragma omp critical => /* nothing */
// clang-format on
static int total;

int main(void) {
#pragma omp parallel
  {
#pragma omp critical
    total += 1;
  }
  return total;
}
