// n threads update two values, each under its own lock; a reader between the stages sees them
// differ.
#include "threads.h"

#include <cassert>
#include <mutex>

std::mutex firstLock;
std::mutex secondLock;
int firstValue = 0;
int secondValue = 0;

static void update() {
  {
    std::lock_guard guard(firstLock);
    firstValue = 1;
  }
  std::lock_guard guard(secondLock);
  secondValue = firstValue + 1;
}

static void look() {
  int first = 0;
  {
    std::lock_guard guard(firstLock);
    if (firstValue == 0)
      return;
    first = firstValue;
  }
  std::lock_guard guard(secondLock);
  assert(secondValue == first + 1 && "the second stage is not there");
}

int main(int argc, char** argv) {
  std::vector<std::function<void()>> bodies;
  for (int i = 0; i < sizeOf(argc, argv); ++i)
    bodies.emplace_back(update);
  bodies.emplace_back(look);
  runAll(bodies);
  return 0;
}
