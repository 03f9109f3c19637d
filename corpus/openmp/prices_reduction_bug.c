// heddle-corpus: flags=-fopenmp
// Adds up prices in a parallel loop. The sum is shared by the team: two threads read it, add their
// price and write it back, and one price is gone.
#include <assert.h>

enum { PRICES = 6 };

static const int prices[PRICES] = {1, 2, 3, 4, 5, 6};

int main(void) {
  int sum = 0;
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < PRICES; ++i)
    sum += prices[i]; // RACE!
  assert(sum == 21); // EXPECT: assertion
  return 0;
}
