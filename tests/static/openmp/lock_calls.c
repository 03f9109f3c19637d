// Locks of the library.
// clang-format off
// RACY: omp_set_lock(&lock); => omp_set_lock(&other);
// RACY: omp_set_lock(&lock); => /* nothing */
// clang-format on
#include <omp.h>

static int total;
static omp_lock_t lock, other;

int main(void) {
  omp_init_lock(&lock);
  omp_init_lock(&other);
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
      total += 1;
      omp_unset_lock(&lock);
    } else {
      while (!omp_test_lock(&lock))
        ;
      total += 2;
      omp_unset_lock(&lock);
    }
  }
  return total;
}
