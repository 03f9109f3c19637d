// A pool of threads with a queue of tasks. Each task writes a result of its own, and all of them
// add to one sum without a lock.
#include <array>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
public:
  void submit(std::function<void()> task) {
    std::lock_guard<std::mutex> guard(mutex_);
    tasks_.push_back(std::move(task)); // NORACE
  }

  void run(int threads) {
    std::vector<std::thread> workers;
    for (int i = 0; i < threads; ++i)
      workers.emplace_back([this] { work(); });
    for (std::thread &worker : workers)
      worker.join();
  }

private:
  void work() {
    while (std::function<void()> task = take())
      task();
  }

  std::function<void()> take() {
    std::lock_guard<std::mutex> guard(mutex_);
    if (tasks_.empty()) // NORACE
      return nullptr;
    std::function<void()> task = std::move(tasks_.front()); // NORACE
    tasks_.pop_front();                                     // NORACE
    return task;
  }

  std::mutex mutex_;
  std::deque<std::function<void()>> tasks_;
};

int main() {
  Pool pool;
  std::array<long, 6> squares{};
  std::mutex sumMutex;
  long sum = 0;
  for (std::size_t i = 0; i < squares.size(); ++i)
    pool.submit([&, i] {
      long square = static_cast<long>(i * i);
      squares[i] = square; // NORACE
      sum += square;       // RACE!
    });
  pool.run(3);
  long expected = 0;
  for (long square : squares) // NORACE
    expected += square;
  std::lock_guard<std::mutex> guard(sumMutex);
  return sum <= expected ? 0 : 1; // NORACE
}
