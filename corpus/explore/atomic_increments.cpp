// n threads increment x atomically.
#include "threads.h"

#include <atomic>

std::atomic<int> x{0};

int main(int argc, char** argv) {
  runAll(std::vector<std::function<void()>>(static_cast<size_t>(sizeOf(argc, argv)),
                                            [] { x.fetch_add(1); }));
  return 0;
}
