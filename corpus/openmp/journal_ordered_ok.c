// heddle-corpus: flags=-fopenmp
// A parallel loop appends to a journal, in an ordered region: in the order of the iterations, one
// after the other.
#include <assert.h>

enum { ENTRIES = 4 };

static int journal[ENTRIES];
static int length;

int main(void) {
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
  for (int i = 0; i < ENTRIES; ++i) {
#pragma omp ordered
    {
      int place = length; // NORACE
      journal[place] = i; // NORACE
      length = place + 1; // NORACE
    }
  }
  assert(length == ENTRIES);
  for (int i = 0; i < ENTRIES; ++i)
    assert(journal[i] == i);
  return 0;
}
