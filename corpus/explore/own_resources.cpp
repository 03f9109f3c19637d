// Threads ask for memory and for random bytes and touch nothing in common: one class, and what they
// get is the same in every schedule. Main's threads have blocks in order of creation.
#include "threads.h"

#include <cassert>
#include <random>

struct Got {
  void* small = nullptr;
  void* again = nullptr; ///< after a free
  void* large = nullptr;
  unsigned random = 0;
};

Got got[3];

void use(Got& mine) {
  mine.small = std::malloc(40);
  void* other = std::malloc(40);
  std::free(other);
  mine.again = std::malloc(40);
  mine.large = std::malloc(50000);
  mine.random = std::random_device{}();
}

int main() {
  runAll({[] { use(got[0]); }, [] { use(got[1]); }, [] { use(got[2]); }});
  for (int i = 0; i < 2; ++i) {
    assert(got[i].small < got[i + 1].small && got[i].again < got[i + 1].again);
    assert(got[i].large < got[i + 1].large);
    assert(got[i].random != got[i + 1].random);
  }
  return 0;
}
