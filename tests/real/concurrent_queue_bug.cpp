// A misuse of moodycamel::ConcurrentQueue: size_approx() is taken for the truth, so the consumer
// stops while an item is still under way.
#include <cassert>
#include <concurrentqueue/concurrentqueue.h>
#include <thread>

int main() {
  moodycamel::ConcurrentQueue<int> queue;
  queue.enqueue(1);
  std::thread producer([&] { queue.enqueue(2); });
  std::thread other([&] { queue.enqueue(3); });
  other.join();
  int sum = 0;
  int item;
  while (queue.size_approx() > 0)
    if (queue.try_dequeue(item))
      sum += item;
  producer.join();
  assert(sum == 6); // EXPECT: assertion
}
