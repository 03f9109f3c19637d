// Coroutines that hop from thread to thread: each `co_await executor` suspends it and puts it into
// a queue, and any of the executor's threads resumes it. Its frame goes from one thread to the
// next.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <coroutine>
#include <cstdlib>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Executor {
public:
  explicit Executor(int threads) {
    for (int i = 0; i < threads; ++i)
      threads_.emplace_back([this] { run(); });
  }
  ~Executor() {
    {
      std::lock_guard guard(mutex_);
      stopped_ = true;
    }
    ready_.notify_all();
    for (std::thread& thread : threads_)
      thread.join();
  }

  void post(std::coroutine_handle<> handle) {
    {
      std::lock_guard guard(mutex_);
      queue_.push_back(handle);
    }
    ready_.notify_one();
  }

  auto operator co_await() {
    struct Hop {
      Executor& executor;
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<> handle) { executor.post(handle); }
      void await_resume() const noexcept {}
    };
    return Hop{*this};
  }

private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      ready_.wait(lock, [this] { return stopped_ || !queue_.empty(); });
      if (queue_.empty())
        return;
      std::coroutine_handle<> handle = queue_.front();
      queue_.pop_front();
      lock.unlock();
      handle.resume();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::coroutine_handle<>> queue_;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

Detached walk(Executor& executor, int rounds, std::atomic<int>& left, long& result) {
  long sum = 0;
  for (int i = 1; i <= rounds; ++i) {
    co_await executor;
    sum += i;
  }
  result = sum;
  if (left.fetch_sub(1) == 1)
    left.notify_one();
}

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 8000;
  constexpr int kWalkers = 4;
  std::atomic<int> left{kWalkers};
  long results[kWalkers] = {};
  {
    Executor executor(3);
    for (long& result : results)
      walk(executor, rounds, left, result);
    for (int seen = left; seen > 0; seen = left)
      left.wait(seen);
  }
  for (long result : results)
    assert(result == (long)rounds * (rounds + 1) / 2);
}
