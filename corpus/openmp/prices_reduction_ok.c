// heddle-corpus: flags=-fopenmp
// Adds up prices in a parallel loop. Each thread has a sum of its own, and the library joins them.
#include <assert.h>

enum { PRICES = 6 };

static const int prices[PRICES] = {1, 2, 3, 4, 5, 6};

int main(void) {
  int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < PRICES; ++i)
    sum += prices[i]; // NORACE
  assert(sum == 21);
  return 0;
}
