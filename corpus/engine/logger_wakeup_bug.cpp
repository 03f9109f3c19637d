// An asynchronous logger: the application appends lines, one writer thread drains them. The writer
// looks at `pending` before it locks; the application can append and notify between that look and
// the wait. The notification is lost and the writer sleeps for ever.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Logger {
public:
  void append(std::string line) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      lines_.push_back(std::move(line));
    }
    pending_.store(true);
    wakeUp_.notify_one();
  }

  std::vector<std::string> drain() {
    if (!pending_.load()) {
      std::unique_lock<std::mutex> lock(mutex_);
      wakeUp_.wait(lock); // EXPECT: deadlock
    }
    std::lock_guard<std::mutex> guard(mutex_);
    pending_.store(false);
    return std::move(lines_);
  }

private:
  std::mutex mutex_;
  std::condition_variable wakeUp_;
  std::atomic<bool> pending_{false};
  std::vector<std::string> lines_;
};

int main() {
  Logger logger;
  std::vector<std::string> written;
  std::thread writer([&] { written = logger.drain(); });
  std::thread application([&] { logger.append("service started"); });
  application.join();
  writer.join();
  assert(written.size() == 1);
}
