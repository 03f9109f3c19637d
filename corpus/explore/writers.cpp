// n threads write x; with "read" main looks at it after the joins.
#include "threads.h"

int x = 0;

int main(int argc, char** argv) {
  std::vector<std::function<void()>> bodies;
  for (int i = 1; i <= sizeOf(argc, argv); ++i)
    bodies.emplace_back([i] { x = i; });
  runAll(bodies);
  return readsAfter(argc, argv) && x == 0 ? 1 : 0;
}
