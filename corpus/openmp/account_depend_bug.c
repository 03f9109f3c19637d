// heddle-corpus: flags=-fopenmp
// Tasks book to one account. Nothing orders the tasks: two that run at the same time lose a booking.
#include <assert.h>

enum { BOOKINGS = 3 };

static int balance;

int main(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int i = 0; i < BOOKINGS; ++i) {
#pragma omp task
    balance = balance + 10; // RACE!
  }
  assert(balance == 10 * BOOKINGS); // EXPECT: assertion
  return 0;
}
