// A printer thread (std::jthread) that waits for pages until a stop is requested. It waits on a
// std::condition_variable_any with its stop token, which wakes it whenever the request comes.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>

class Printer {
public:
  void print(int page) {
    std::lock_guard<std::mutex> guard(mutex_);
    pages_.push_back(page); // NORACE
    wakeUp_.notify_one();
  }

  void stop() {
    worker_.request_stop();
    worker_.join();
  }

  int printed() const { return printed_; }

private:
  void work(std::stop_token stop) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (wakeUp_.wait(lock, stop, [this] { return !pages_.empty(); })) {
      pages_.pop_front(); // NORACE
      ++printed_;
    }
  }

  std::mutex mutex_;
  std::condition_variable_any wakeUp_;
  std::deque<int> pages_;
  int printed_ = 0;
  std::jthread worker_{[this](std::stop_token stop) { work(stop); }};
};

int main() {
  Printer printer;
  printer.print(1);
  printer.stop();
  assert(printer.printed() == 1);
}
