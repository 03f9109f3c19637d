// n threads lock a pair of neighbours in order, one in the other order.
#include "threads.h"

#include <mutex>

int main(int argc, char** argv) {
  int n = sizeOf(argc, argv);
  std::vector<std::mutex> locks(n + 1);
  std::vector<std::function<void()>> bodies;
  for (int k = 0; k < n; ++k)
    bodies.emplace_back([k, n, &locks] {
      int first = k == n - 1 ? k + 1 : k;
      int second = k == n - 1 ? k : k + 1;
      std::lock_guard one(locks[first]);
      std::lock_guard other(locks[second]);
    });
  bodies.emplace_back([n, &locks] {
    std::lock_guard one(locks[n - 1]);
    std::lock_guard other(locks[n]);
  });
  runAll(bodies);
  return 0;
}
