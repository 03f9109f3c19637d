// n philosophers, each takes the fork at its left first: one deadlock.
#include "threads.h"

#include <mutex>

std::mutex forks[64];

int main(int argc, char** argv) {
  int n = sizeOf(argc, argv);
  std::vector<std::function<void()>> bodies;
  for (int k = 0; k < n; ++k)
    bodies.emplace_back([k, n] {
      forks[k].lock();
      forks[(k + 1) % n].lock();
      forks[(k + 1) % n].unlock();
      forks[k].unlock();
    });
  runAll(bodies);
  return 0;
}
