// moodycamel::ConcurrentQueue: two producers, one consumer; every item arrives once, and the items
// of one producer arrive in order.
#include <cassert>
#include <concurrentqueue/concurrentqueue.h>
#include <thread>

int main() {
  moodycamel::ConcurrentQueue<int> queue;
  auto produce = [&](int base) {
    for (int i = 1; i <= 3; ++i)
      queue.enqueue(base + i);
  };
  std::thread first(produce, 0);
  std::thread second(produce, 100);
  int last[2] = {0, 100};
  int received = 0;
  while (received < 6) {
    int item;
    if (!queue.try_dequeue(item)) {
      std::this_thread::yield();
      continue;
    }
    int& previous = last[item > 100];
    assert(item == previous + 1);
    previous = item;
    ++received;
  }
  first.join();
  second.join();
  assert(last[0] == 3 && last[1] == 103);
}
