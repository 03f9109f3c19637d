// boost::lockfree: a single-producer queue and a multi-producer stack.
#include <boost/lockfree/spsc_queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> queue;
  boost::lockfree::stack<int> results(8);
  std::thread producer([&] {
    for (int i = 1; i <= 3; ++i)
      while (!queue.push(i))
        std::this_thread::yield();
  });
  std::thread consumer([&] {
    for (int i = 1; i <= 3; ++i) {
      int item = 0;
      while (!queue.pop(item))
        std::this_thread::yield();
      assert(item == i);
      results.push(item * 10);
    }
  });
  results.push(1);
  producer.join();
  consumer.join();
  int sum = 0;
  int item = 0;
  while (results.pop(item))
    sum += item;
  assert(sum == 61);
}
