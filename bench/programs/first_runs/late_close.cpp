// A buffer is closed by its owner while n users may still write to it: the last of them checks too
// early.
#include "threads.h"

#include <atomic>
#include <cassert>
#include <mutex>

std::mutex mutex;
bool isOpen = true;
std::atomic<int>* buffer = nullptr;

int main(int argc, char** argv) {
  int n = sizeOf(argc, argv);
  buffer = new std::atomic<int>(0);
  std::vector<std::function<void()>> bodies(n, [] {
    bool open = false;
    {
      std::lock_guard lock(mutex);
      open = isOpen;
    }
    if (open)
      ++*buffer;
  });
  bodies.emplace_back([] {
    {
      std::lock_guard lock(mutex);
      isOpen = false;
    }
    delete buffer;
  });
  runAll(bodies);
  return 0;
}
