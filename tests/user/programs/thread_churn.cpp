// Makes threads one after the other, joined or detached, and counts what they have done.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <thread>

int main(int, char** arguments) {
  bool detaches = std::strcmp(arguments[1], "detached") == 0;
  int threads = std::atoi(arguments[2]);
  std::atomic<int> done{0};
  for (int i = 0; i < threads; ++i) {
    std::thread thread([&] { ++done; });
    if (!detaches) {
      thread.join();
      continue;
    }
    thread.detach();
    while (done != i + 1)
      std::this_thread::yield();
  }
  assert(done == threads);
}
