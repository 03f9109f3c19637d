// heddle-corpus: std=c++17
// A thread pool with two workers. stop() sets the flag under the mutex and wakes every worker, so
// each of them sees it, whether it was waiting for a job or busy with one.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class ThreadPool {
public:
  explicit ThreadPool(int workers) {
    for (int i = 0; i < workers; ++i)
      workers_.emplace_back([this] { work(); });
  }

  ~ThreadPool() {
    stop();
    for (std::thread &worker : workers_)
      worker.join();
  }

  void submit(std::function<void()> job) {
    std::lock_guard<std::mutex> guard(mutex_);
    jobs_.push_back(std::move(job));
    wakeUp_.notify_one();
  }

private:
  void stop() {
    std::lock_guard<std::mutex> guard(mutex_);
    stopping_ = true; // NORACE
    wakeUp_.notify_all();
  }

  void work() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      while (jobs_.empty() && !stopping_)
        wakeUp_.wait(lock);
      if (jobs_.empty())
        return;
      std::function<void()> job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wakeUp_;
  std::deque<std::function<void()>> jobs_;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

int main() {
  int answer = 0;
  {
    ThreadPool pool(2);
    pool.submit([&] { answer = 42; });
  }
  assert(answer == 42);
}
