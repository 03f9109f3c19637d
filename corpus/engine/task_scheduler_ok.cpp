// A scheduler that runs packaged tasks on one worker. It is shut down only after the client has
// submitted, and the worker drains the queue before it obeys, so every promise is kept.
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
    tasks_.push_back(std::move(task)); // NORACE
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
      if (tasks_.empty())
        return;
      std::packaged_task<int()> task = std::move(tasks_.front()); // NORACE
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
  std::future<int> result;
  {
    Scheduler scheduler;
    std::thread client([&] { result = scheduler.submit(7); });
    std::thread worker([&] { scheduler.run(); });
    client.join();
    scheduler.shutDown();
    worker.join();
  }
  assert(result.get() == 49); // NORACE
}
