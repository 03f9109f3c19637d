// heddle-corpus: flags=-fopenmp
// A parallel loop appends to a journal. The loop is declared ordered, but the entry is written
// outside of an ordered region: two threads take the same place.
#include <assert.h>

enum { ENTRIES = 4 };

static int journal[ENTRIES];
static int length;

int main(void) {
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
  for (int i = 0; i < ENTRIES; ++i) {
    int place = length;   // RACE!
    journal[place] = i;   // RACE!
    length = place + 1;   // RACE!
  }
  assert(length == ENTRIES); // EXPECT: assertion
  return 0;
}
