// Two regions of one name exclude each other, those of two names do not.
// clang-format off
// RACY: other += 1; => one += 1;
// clang-format on
static int one, other;

int main(void) {
#pragma omp parallel
  {
#pragma omp critical(first)
    one += 1;
#pragma omp critical(second)
    other += 1;
#pragma omp critical(first)
    one += 2;
  }
  return one + other;
}
