// SELFTEST: none:0:all
// EXPECT: memory-error "heap-buffer-overflow: write of 4 bytes"
#include "hand_made_site.h"

#include <cstdlib>

int main() {
  auto* block = static_cast<int*>(malloc(41));
  handMade::write(block + 9, 5);
  handMade::write(block + 10, 5);
}
