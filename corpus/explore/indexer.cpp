// n threads put four words each into a hash table (Flanagan and Godefroid, POPL 2005).
#include "threads.h"

#include <atomic>

constexpr int kSize = 128;
std::atomic<int> table[kSize];

int main(int argc, char** argv) {
  std::vector<std::function<void()>> bodies;
  for (int t = 0; t < sizeOf(argc, argv); ++t)
    bodies.emplace_back([t] {
      for (int m = 0; m < 4; ++m) {
        int w = 11 * m + t;
        int h = 7 * w % kSize;
        for (int expected = 0; !table[h].compare_exchange_strong(expected, w); expected = 0)
          h = (h + 1) % kSize;
      }
    });
  runAll(bodies);
  return 0;
}
