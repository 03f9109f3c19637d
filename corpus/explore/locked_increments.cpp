// n threads increment x under a lock.
#include "threads.h"

#include <mutex>

std::mutex mutex;
int x = 0;

int main(int argc, char** argv) {
  runAll(std::vector<std::function<void()>>(static_cast<size_t>(sizeOf(argc, argv)), [] {
    std::lock_guard<std::mutex> guard(mutex);
    x = x + 1;
  }));
  return 0;
}
