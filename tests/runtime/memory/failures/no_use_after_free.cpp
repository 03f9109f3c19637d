// SELFTEST: none:0:all
// EXPECT: finished 5
#include "hand_made_site.h"

#include <cstdlib>
#include <thread>

int main() {
  auto* block = static_cast<int*>(malloc(40));
  handMade::write(block + 9, 5);
  int value = 0;
  std::thread([&] { value = handMade::read(block + 9); }).join();
  free(block);
  return value;
}
