// A team of one.
// clang-format off
// RACY: num_threads(1) => num_threads(4)
// clang-format on
static int total;

int main(void) {
#pragma omp parallel num_threads(1)
  total += 1;
  return total;
}
