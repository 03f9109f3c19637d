// moodycamel's queues: producers with tokens and in bulk, consumers that poll, and a blocking queue
// whose consumers sleep until an end marker comes.
#include <atomic>
#include <cassert>
#include <concurrentqueue/blockingconcurrentqueue.h>
#include <concurrentqueue/concurrentqueue.h>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) / 8 * 8 + 8 : 16000;
  moodycamel::ConcurrentQueue<int> queue;
  moodycamel::BlockingConcurrentQueue<long> results;
  std::atomic<int> left{2 * rounds};
  std::vector<std::thread> threads;
  for (int producer = 0; producer < 2; ++producer)
    threads.emplace_back([&, producer] {
      moodycamel::ProducerToken token(queue);
      for (int i = 0; i < rounds; i += 8) {
        int items[8];
        for (int j = 0; j < 8; ++j)
          items[j] = i + j + 1;
        if (producer == 0) {
          queue.enqueue_bulk(token, items, 8);
          continue;
        }
        for (int item : items)
          queue.enqueue(token, item);
      }
    });
  for (int consumer = 0; consumer < 2; ++consumer)
    threads.emplace_back([&] {
      moodycamel::ConsumerToken token(queue);
      int items[4];
      long sum = 0;
      while (left.load() > 0) {
        std::size_t count = queue.try_dequeue_bulk(token, items, 4);
        if (count == 0)
          std::this_thread::yield();
        for (std::size_t i = 0; i < count; ++i)
          sum += items[i];
        left -= static_cast<int>(count);
      }
      results.enqueue(sum);
      results.enqueue(-1);
    });
  long sum = 0, item = 0;
  for (int ended = 0; ended < 2;) {
    results.wait_dequeue(item);
    if (item < 0)
      ++ended;
    else
      sum += item;
  }
  for (std::thread& thread : threads)
    thread.join();
  assert(sum == (long)rounds * (rounds + 1));
}
