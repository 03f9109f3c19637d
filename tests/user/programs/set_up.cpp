// A long set-up that leaves a line in the file SET_UP_LOG each time. Argument "skip": ends before
// it is ready; "locked": without the bug.
#include <heddle/heddle.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

int counter;

int main(int argc, char** argv) {
  // Work and no sleep: time is virtual under heddle.
  std::vector<unsigned> table(1 << 20);
  unsigned last = 1;
  for (int round = 0; round < 20; ++round)
    for (unsigned& entry : table)
      entry = last = last * 1664525u + 1013904223u;
  FILE* log = fopen(getenv("SET_UP_LOG"), "a");
  fprintf(log, "%u\n", table[last % table.size()]);
  fclose(log);
  if (argc > 1 && !strcmp(argv[1], "skip"))
    return 0;
  HEDDLE_READY();
  bool locked = argc > 1 && !strcmp(argv[1], "locked");
  auto count = [locked] {
    if (locked) {
      __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
      return;
    }
    int seen = counter;
    counter = seen + 1;
  };
  std::thread first(count), second(count);
  first.join();
  second.join();
  HEDDLE_ASSERT(counter == 2);
}
