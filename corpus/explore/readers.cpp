// One thread writes x, n read it: each reads before or after the write.
#include "threads.h"

int x = 0;

int main(int argc, char** argv) {
  std::vector<std::function<void()>> bodies{[] { x = 42; }};
  for (int i = 0; i < sizeOf(argc, argv); ++i)
    bodies.emplace_back([] {
      int seen = x;
      (void)seen;
    });
  runAll(bodies);
  return 0;
}
