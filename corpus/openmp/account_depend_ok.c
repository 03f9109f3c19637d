// heddle-corpus: flags=-fopenmp
// Tasks book to one account. Each task depends on the one before it that changes the balance.
#include <assert.h>

enum { BOOKINGS = 3 };

static int balance;

int main(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int i = 0; i < BOOKINGS; ++i) {
#pragma omp task depend(inout : balance)
    balance = balance + 10; // NORACE
  }
  assert(balance == 10 * BOOKINGS);
  return 0;
}
