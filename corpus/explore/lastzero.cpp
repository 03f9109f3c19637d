// One thread looks for the last zero of an array while n others count it up.
#include "threads.h"

#include <atomic>

std::atomic<int> a[64];

int main(int argc, char** argv) {
  int n = sizeOf(argc, argv);
  std::vector<std::function<void()>> bodies{[n] {
    int i = n;
    while (a[i].load() != 0)
      --i;
  }};
  for (int j = 1; j <= n; ++j)
    bodies.emplace_back([j] { a[j].store(a[j - 1].load() + 1); });
  runAll(bodies);
  return 0;
}
