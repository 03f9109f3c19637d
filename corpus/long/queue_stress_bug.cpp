// A stress test of a bounded queue: two producers, two consumers, 100,000 locked operations. The
// consumers do the work, so that the queue is nearly always full. A consumer waits until there is
// something and takes it in a second critical section: in between, the other one may have taken the
// last item.
#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>

#ifndef ROUNDS
#define ROUNDS 25000
#endif

class Queue {
public:
  void push(unsigned item) {
    std::unique_lock<std::mutex> lock(mutex_);
    notFull_.wait(lock, [&] { return items_.size() < kCapacity; });
    items_.push_back(item);
    notEmpty_.notify_one();
  }

  void close() {
    std::lock_guard<std::mutex> guard(mutex_);
    if (++closed_ == kProducers)
      notEmpty_.notify_all();
  }

  /// Whether there will be something to take; false when all producers are done.
  bool waitForItem() {
    std::unique_lock<std::mutex> lock(mutex_);
    notEmpty_.wait(lock, [&] { return !items_.empty() || closed_ == kProducers; });
    return !items_.empty();
  }

  unsigned pop() {
    std::lock_guard<std::mutex> guard(mutex_);
    assert(!items_.empty()); // EXPECT: assertion
    unsigned item = items_.front();
    items_.pop_front();
    notFull_.notify_one();
    return item;
  }

private:
  static constexpr std::size_t kCapacity = 1024;
  static constexpr int kProducers = 2;

  std::mutex mutex_;
  std::condition_variable notFull_, notEmpty_;
  std::deque<unsigned> items_;
  int closed_ = 0;
};

static unsigned work(unsigned item) {
  for (int i = 0; i < 8000; ++i)
    item = item * 1664525u + 1013904223u;
  return item;
}

static void produce(Queue& queue, unsigned first) {
  for (unsigned i = 0; i < ROUNDS; ++i)
    queue.push(first + i);
  queue.close();
}

static void consume(Queue& queue, unsigned& sum) {
  while (queue.waitForItem())
    sum += work(queue.pop());
}

int main() {
  Queue queue;
  unsigned sums[2] = {};
  std::thread consumers[2], producers[2];
  for (int i = 0; i < 2; ++i)
    producers[i] = std::thread(produce, std::ref(queue), i * ROUNDS);
  for (int i = 0; i < 2; ++i)
    consumers[i] = std::thread(consume, std::ref(queue), std::ref(sums[i]));
  for (int i = 0; i < 2; ++i) {
    producers[i].join();
    consumers[i].join();
  }
}
