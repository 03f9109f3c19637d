// A parallel sum over a tree of ranges with work stealing: each of four threads has a deque, takes
// its own work from the back, and steals from the front of others, always under the deque's lock.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifndef SIZE
#define SIZE 20000000
#endif

struct Range {
  unsigned first = 0, last = 0;
};

class Deque {
public:
  void push(Range task) {
    std::lock_guard<std::mutex> guard(mutex_);
    tasks_[bottom_ % kCapacity] = task;
    ++bottom_;
  }

  bool pop(Range& task) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (bottom_ == top_)
      return false;
    task = tasks_[--bottom_ % kCapacity]; // NORACE
    return true;
  }

  bool steal(Range& task) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (bottom_ == top_)
      return false;
    task = tasks_[top_++ % kCapacity]; // NORACE
    return true;
  }

private:
  static constexpr unsigned kCapacity = 64;

  std::mutex mutex_;
  Range tasks_[kCapacity];
  unsigned top_ = 0, bottom_ = 0;
};

class Sum {
public:
  void start() { deques_[0].push({0, SIZE}); }

  void run(unsigned worker) {
    Range task;
    while (left_.load() > 0)
      if (deques_[worker].pop(task) || stealFor(worker, task))
        execute(worker, task);
      else
        std::this_thread::yield();
  }

  /// Every number was added once.
  void check() const { assert(total_.load() == static_cast<unsigned long>(SIZE) * (SIZE - 1) / 2); }

private:
  bool stealFor(unsigned worker, Range& task) {
    for (unsigned other = 1; other < 4; ++other)
      if (deques_[(worker + other) % 4].steal(task))
        return true;
    return false;
  }

  void execute(unsigned worker, Range task) {
    while (task.last - task.first > 2000) {
      unsigned middle = task.first + (task.last - task.first) / 2;
      deques_[worker].push({middle, task.last});
      task.last = middle;
    }
    unsigned long sum = 0;
    for (unsigned i = task.first; i < task.last; ++i)
      sum += spread(i) - spread(i) + i;
    total_ += sum;
    left_ -= task.last - task.first;
  }

  static unsigned long spread(unsigned number) {
    unsigned long x = number;
    for (int i = 0; i < 4; ++i)
      x = (x ^ (x >> 13)) * 0x9e3779b97f4a7c15ul;
    return x;
  }

  Deque deques_[4];
  std::atomic<unsigned long> total_{0};
  std::atomic<long> left_{SIZE};
};

int main() {
  Sum sum;
  sum.start();
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i)
    threads.emplace_back(&Sum::run, &sum, i);
  for (std::thread& thread : threads)
    thread.join();
  sum.check();
}
