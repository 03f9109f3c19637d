// n philosophers, each takes the fork at its left first: a deadlock if all have taken one.
#include "threads.h"

#include <mutex>

int main(int argc, char** argv) {
  int n = sizeOf(argc, argv);
  std::vector<std::mutex> forks(n);
  std::vector<std::function<void()>> bodies;
  for (int k = 0; k < n; ++k)
    bodies.emplace_back([k, n, &forks] {
      std::lock_guard left(forks[k]);
      std::lock_guard right(forks[(k + 1) % n]);
    });
  runAll(bodies);
  return 0;
}
