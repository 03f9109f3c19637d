// n threads reserve a seat if one is free; looking and taking are locked, but not as one.
#include "threads.h"

#include <cassert>
#include <mutex>

std::mutex mutex;
int seats = 0;

static bool isFree() {
  std::lock_guard lock(mutex);
  return seats > 0;
}

static void take() {
  std::lock_guard lock(mutex);
  --seats;
}

int main(int argc, char** argv) {
  int n = sizeOf(argc, argv);
  seats = n - 1;
  std::vector<std::function<void()>> bodies(n, [] {
    if (isFree())
      take();
  });
  runAll(bodies);
  assert(seats >= 0 && "a seat was sold twice");
  return 0;
}
