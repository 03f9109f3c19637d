// SELFTEST: none:0:all
// EXPECT: memory-error "4 bytes inside a block of 40 bytes allocated by T0 and freed by T1"
// EXPECT: heap allocated T0 freed T1
#include "hand_made_site.h"

#include <cstdlib>
#include <thread>

int main() {
  auto* block = static_cast<int*>(malloc(40));
  handMade::write(block + 1, 5);
  std::thread([&] { free(block); }).join();
  return handMade::read(block + 1);
}
