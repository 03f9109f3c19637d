// Threads one after the other and side by side, each of which locks and has a variable of its own:
// owners must be told apart, and every thread must find its own descriptor.
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

thread_local int mine = 0;

__attribute__((noinline)) void increment(int* place) { ++*place; }

int main() {
  std::recursive_mutex mutex;
  int counter = 0;
  auto work = [&] {
    for (int i = 0; i < 10; ++i) {
      std::lock_guard outer(mutex);
      std::lock_guard inner(mutex);
      ++counter;
      increment(&mine);
    }
    if (mine != 10)
      std::terminate();
  };
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back(work);
    for (std::thread& thread : threads)
      thread.join();
  }
  return counter == 120 ? 0 : 1;
}
