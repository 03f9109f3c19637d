// Atomic operations do not race with each other.
// clang-format off
// RACY: #pragma omp atomic => /* nothing */
// RACY: /* nobody */ => total = 0;
// clang-format on
static int total;

int main(void) {
#pragma omp parallel
  {
#pragma omp atomic
    total += 1;
    /* nobody */
  }
  return total;
}
