// A queue whose consumers check once where they have to check in a loop.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Queue {
public:
  void push(int value) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      items_.push_back(value);
    }
    filled_.notify_one();
  }
  int pop() {
    std::unique_lock<std::mutex> guard(mutex_);
    if (items_.empty())
      filled_.wait(guard);
    assert(!items_.empty());
    int value = items_.front();
    items_.pop_front();
    return value;
  }

private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<int> items_;
};

int main() {
  Queue queue;
  std::thread first([&] { queue.pop(); });
  std::thread second([&] { queue.pop(); });
  std::thread producer([&] {
    queue.push(1);
    queue.push(2);
  });
  first.join();
  second.join();
  producer.join();
}
