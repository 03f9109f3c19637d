// An asynchronous logger: the application appends lines, one writer thread drains them. The writer
// tests whether there are lines while it holds the mutex that append() needs, and the wait releases
// it atomically, so no notification can fall between the test and the wait.
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
      lines_.push_back(std::move(line)); // NORACE
    }
    wakeUp_.notify_one();
  }

  std::vector<std::string> drain() {
    std::unique_lock<std::mutex> lock(mutex_);
    wakeUp_.wait(lock, [this] { return !lines_.empty(); }); // NORACE
    return std::move(lines_);
  }

private:
  std::mutex mutex_;
  std::condition_variable wakeUp_;
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
