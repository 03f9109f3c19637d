// n threads write x, and one reads it.
#include "threads.h"

int x = 0;

int main(int argc, char** argv) {
  std::vector<std::function<void()>> bodies;
  for (int i = 1; i <= sizeOf(argc, argv); ++i)
    bodies.emplace_back([i] { x = i; });
  bodies.emplace_back([] {
    int seen = x;
    (void)seen;
  });
  runAll(bodies);
  return 0;
}
