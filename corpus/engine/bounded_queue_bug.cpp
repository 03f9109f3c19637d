// A bounded job queue with two consumers. pop() waits with `if` where it needs `while`: between the
// notification and the moment the woken consumer has the mutex again, the other consumer can take
// the only job, and the woken one pops from an empty queue.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class JobQueue {
public:
  explicit JobQueue(size_t capacity) : capacity_(capacity) {}

  void push(int job) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (jobs_.size() == capacity_)
      notFull_.wait(lock);
    jobs_.push_back(job);
    notEmpty_.notify_one();
  }

  int pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (jobs_.empty())
      notEmpty_.wait(lock);
    assert(!jobs_.empty()); // EXPECT: assertion
    int job = jobs_.front();
    jobs_.pop_front();
    notFull_.notify_one();
    return job;
  }

private:
  std::mutex mutex_;
  std::condition_variable notEmpty_;
  std::condition_variable notFull_;
  std::deque<int> jobs_;
  const size_t capacity_;
};

int main() {
  JobQueue queue(2);
  int first = 0;
  int second = 0;
  std::thread consumerA([&] { first = queue.pop(); });
  std::thread consumerB([&] { second = queue.pop(); });
  std::thread producer([&] {
    queue.push(1);
    queue.push(2);
  });
  consumerA.join();
  consumerB.join();
  producer.join();
  assert(first + second == 3);
}
