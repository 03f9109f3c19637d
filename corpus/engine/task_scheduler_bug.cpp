// A scheduler that runs packaged tasks on one worker. The worker leaves as soon as it sees the
// shutdown, with tasks still queued; their promises break, and the client's get() throws
// std::future_error, which nobody catches.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

class Scheduler {
public:
  std::future<int> submit(int input) {
    std::packaged_task<int()> task([input] { return input * input; });
    std::future<int> result = task.get_future();
    std::lock_guard<std::mutex> guard(mutex_);
    tasks_.push_back(std::move(task));
    wakeUp_.notify_one();
    return result;
  }

  void shutDown() {
    std::lock_guard<std::mutex> guard(mutex_);
    stopping_ = true;
    wakeUp_.notify_one();
  }

  void run() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      wakeUp_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
      if (stopping_) {
        tasks_.clear();
        return;
      }
      std::packaged_task<int()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

private:
  std::mutex mutex_;
  std::condition_variable wakeUp_;
  std::deque<std::packaged_task<int()>> tasks_;
  bool stopping_ = false;
};

int main() {
  std::future<int> second;
  {
    Scheduler scheduler;
    std::thread worker([&] { scheduler.run(); });
    std::future<int> first = scheduler.submit(3);
    second = scheduler.submit(7);
    assert(first.get() == 9);
    scheduler.shutDown();
    worker.join();
  }
  assert(second.get() == 49); // EXPECT: exception
}
