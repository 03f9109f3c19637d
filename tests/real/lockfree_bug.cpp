// A misuse of boost::lockfree::spsc_queue: two producers.
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::lockfree::spsc_queue<int, boost::lockfree::capacity<4>> queue;
  std::thread first([&] { queue.push(1); });
  std::thread second([&] { queue.push(2); });
  first.join();
  second.join();
  int sum = 0;
  int item = 0;
  while (queue.pop(item))
    sum += item;
  assert(sum == 3); // EXPECT: assertion
}
