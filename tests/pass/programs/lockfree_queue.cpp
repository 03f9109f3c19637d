// moodycamel's queue, which has its own semaphore and hash table. Prints a sum.
#include <concurrentqueue/blockingconcurrentqueue.h>
#include <concurrentqueue/concurrentqueue.h>

#include <cstdio>
#include <thread>
#include <vector>

int main() {
  moodycamel::BlockingConcurrentQueue<int> queue;
  std::atomic<long> sum{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 1000; ++i)
        queue.enqueue(t * 1000 + i);
    });
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      int value = 0;
      for (int i = 0; i < 1000; ++i) {
        queue.wait_dequeue(value);
        sum += value;
      }
    });
  for (auto& thread : threads)
    thread.join();
  std::printf("%ld\n", sum.load());
}
