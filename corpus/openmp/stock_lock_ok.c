// heddle-corpus: flags=-fopenmp
// Two threads take goods out of the stock, under one lock.
#include <assert.h>
#include <omp.h>

static omp_lock_t locks[2];
static int stock = 10;

int main(void) {
  omp_init_lock(&locks[0]);
  omp_init_lock(&locks[1]);
#pragma omp parallel num_threads(2)
  {
    omp_lock_t *lock = &locks[0];
    omp_set_lock(lock);
    stock = stock - 1; // NORACE
    omp_unset_lock(lock);
  }
  assert(stock == 8);
  omp_destroy_lock(&locks[0]);
  omp_destroy_lock(&locks[1]);
  return 0;
}
