// A thread that was assigned to a member, and is joined by whoever comes first: nothing runs where
// it is not joinable any more.
// clang-format off
// RACY: thread_.join(); => thread_.detach();
// RACY: if (thread_.joinable()) // stop => parked_ = std::move(thread_); if (thread_.joinable())
// RACY: stop(); // before it is read => // at its end only
// clang-format on
#include <mutex>
#include <thread>
#include <utility>

class Meter {
public:
  Meter() {
    thread_ = std::thread([this] { run(); });
  }
  ~Meter() { stop(); }

  void stop() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      stopped_ = true;
    }
    if (thread_.joinable()) // stop
      thread_.join();
  }

  long read() {
    stop(); // before it is read
    return ticks_;
  }

private:
  void run() {
    for (;;) {
      ++ticks_;
      std::lock_guard<std::mutex> guard(mutex_);
      if (stopped_)
        return;
    }
  }

  std::mutex mutex_;
  bool stopped_ = false;
  long ticks_ = 0;
  std::thread thread_, parked_;
};

int main() {
  Meter meter;
  meter.read();
  return static_cast<int>(meter.read());
}
