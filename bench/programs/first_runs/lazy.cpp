// Two threads create one object if it is not there yet: one of the two is lost with what it counts.
#include "threads.h"

#include <atomic>
#include <cassert>

struct Counter {
  std::atomic<int> value = 0;
};
Counter* counter = nullptr;

static void count() {
  if (!counter)
    counter = new Counter;
  ++counter->value;
}

int main() {
  runAll({count, count});
  assert(counter->value == 2);
  delete counter;
  return 0;
}
