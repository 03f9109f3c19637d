// A thread pool whose tasks return futures; some tasks throw, and what they throw arrives where the
// future is asked. Results are summed in the order of submission.
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

class Pool {
public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; ++i)
      threads_.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      std::lock_guard guard(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_)
      thread.join();
  }

  template <typename Function> auto submit(Function function) {
    using Result = decltype(function());
    auto task = std::make_shared<std::packaged_task<Result()>>(std::move(function));
    std::future<Result> future = task->get_future();
    {
      std::lock_guard guard(mutex_);
      tasks_.push([task] { (*task)(); });
    }
    changed_.notify_one();
    return future;
  }

private:
  void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ended_ || !tasks_.empty(); });
      if (tasks_.empty())
        return;
      std::function<void()> task = std::move(tasks_.front());
      tasks_.pop();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::function<void()>> tasks_;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 6000;
  Pool pool(3);
  std::vector<std::future<int>> futures;
  for (int i = 0; i < rounds; ++i)
    futures.push_back(pool.submit([i]() -> int {
      if (i % 100 == 99)
        throw std::out_of_range("refused");
      return i;
    }));
  int refused = 0;
  for (int i = 0; i < rounds; ++i) {
    try {
      int value = futures[i].get();
      assert(value == i);
    } catch (const std::out_of_range&) {
      ++refused;
    }
  }
  assert(refused == rounds / 100);
}
