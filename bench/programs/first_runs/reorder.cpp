// n threads set a and then b; a checker that comes in between sees one without the other.
#include "threads.h"

#include <cassert>

int a = 0;
int b = 0;

int main(int argc, char** argv) {
  std::vector<std::function<void()>> bodies;
  for (int i = 0; i < sizeOf(argc, argv); ++i)
    bodies.emplace_back([] {
      a = 1;
      b = -1;
    });
  bodies.emplace_back([] {
    int first = a;
    int second = b;
    assert((first == 0 && second == 0) || (first == 1 && second == -1));
  });
  runAll(bodies);
  return 0;
}
