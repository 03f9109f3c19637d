// Fails only if three threads take their turns in one order, each between two steps of another one.
#include "threads.h"

#include <atomic>
#include <cassert>

std::atomic<int> stage = 0;
bool isReached = false;

static void step(int from) {
  int expected = from;
  stage.compare_exchange_strong(expected, from + 1);
}

int main() {
  runAll({[] {
            step(2);
            step(5);
          },
          [] {
            step(1);
            step(4);
          },
          [] {
            step(0);
            step(3);
          }});
  isReached = stage == 6;
  assert(!isReached && "all six steps came in their order");
  return 0;
}
