// A scheduler that runs packaged tasks on one worker and is shut down by a controller thread. The
// worker leaves as soon as it sees the shutdown, with tasks still queued; their promises break, and
// the client's get() throws std::future_error, which nobody catches.
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
  std::future<int> result;
  {
    Scheduler scheduler;
    std::thread client([&] { result = scheduler.submit(7); });
    std::thread worker([&] { scheduler.run(); });
    client.join();
    std::thread controller([&] { scheduler.shutDown(); });
    worker.join();
    controller.join();
  }
  assert(result.get() == 49); // EXPECT: exception
}
