// n threads set a and then b; a checker may see b without a.
#include "threads.h"

#include <cassert>

int a = 0;
int b = 0;
int p = 0;
int q = 0;

int main(int argc, char** argv) {
  std::vector<std::function<void()>> bodies;
  for (int i = 0; i < sizeOf(argc, argv); ++i)
    bodies.emplace_back([] {
      a = 1;
      b = -1;
    });
  bodies.emplace_back([] {
    p = a;
    q = b;
  });
  runAll(bodies);
  int first = p;
  int second = q;
  assert((first == 0 && second == 0) || (first == 1 && second == -1));
  return 0;
}
