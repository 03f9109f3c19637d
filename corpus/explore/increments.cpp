// n threads increment x without a lock: a read and a write each.
#include "threads.h"

int x = 0;

int main(int argc, char** argv) {
  runAll(std::vector<std::function<void()>>(static_cast<size_t>(sizeOf(argc, argv)),
                                            [] { x = x + 1; }));
  return 0;
}
