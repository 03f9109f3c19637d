// heddle-corpus: flags=-fopenmp
// Two threads take goods out of the stock. Each of them has a lock of its own, which keeps nobody
// away.
#include <assert.h>
#include <omp.h>

static omp_lock_t locks[2];
static int stock = 10;

int main(void) {
  omp_init_lock(&locks[0]);
  omp_init_lock(&locks[1]);
#pragma omp parallel num_threads(2)
  {
    omp_lock_t *lock = &locks[omp_get_thread_num()];
    omp_set_lock(lock);
    stock = stock - 1; // RACE!
    omp_unset_lock(lock);
  }
  assert(stock == 8); // EXPECT: assertion
  omp_destroy_lock(&locks[0]);
  omp_destroy_lock(&locks[1]);
  return 0;
}
