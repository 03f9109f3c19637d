// Counters of n threads, all under one lock; one thread takes another lock.
#include "threads.h"

#include <cassert>
#include <mutex>

std::mutex right;
std::mutex wrong;
int value = 0;

int main(int argc, char** argv) {
  int n = sizeOf(argc, argv);
  std::vector<std::function<void()>> bodies;
  for (int k = 0; k < n; ++k)
    bodies.emplace_back([k] {
      std::lock_guard lock(k == 0 ? wrong : right);
      int before = value;
      value = before + 1;
    });
  runAll(bodies);
  assert(value == n && "an update was lost");
  return 0;
}
