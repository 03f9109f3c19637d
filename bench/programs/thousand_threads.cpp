// A thousand threads alive at the same time; each adds to a counter under a lock.
#include <barrier>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  constexpr int kThreads = 1000;
  std::barrier everybody(kThreads);
  std::mutex mutex;
  int counter = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      everybody.arrive_and_wait();
      std::lock_guard lock(mutex);
      ++counter;
    });
  for (std::thread& thread : threads)
    thread.join();
  return counter == kThreads ? 0 : 1;
}
