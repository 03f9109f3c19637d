// A printer thread (std::jthread) that waits for pages until a stop is requested. The request and
// the notification do not hold the mutex; both can fall between the thread's look at the stop token
// and its wait, and then nobody wakes it.
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
    pages_.push_back(page);
    wakeUp_.notify_one();
  }

  void stop() {
    worker_.request_stop();
    wakeUp_.notify_one();
    worker_.join();
  }

  int printed() const { return printed_; }

private:
  void work(std::stop_token stop) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!stop.stop_requested()) {
      if (pages_.empty()) {
        wakeUp_.wait(lock); // EXPECT: deadlock
        continue;
      }
      pages_.pop_front();
      ++printed_;
    }
  }

  std::mutex mutex_;
  std::condition_variable wakeUp_;
  std::deque<int> pages_;
  int printed_ = 0;
  std::jthread worker_{[this](std::stop_token stop) { work(stop); }};
};

int main() {
  Printer printer;
  printer.print(1);
  printer.stop();
  assert(printer.printed() <= 1);
}
