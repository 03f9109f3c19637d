// A poller that starts its thread in its constructor. The thread starts before the interval is set,
// so the object is used before it is complete.
#include <mutex>
#include <thread>
#include <vector>

class Poller {
public:
  explicit Poller(int interval) {
    sources_ = {1, 2, 3}; // NORACE
    thread_ = std::thread([this] { run(); });
    interval_ = interval; // RACE!
  }

  int polled() {
    std::lock_guard<std::mutex> guard(mutex_);
    return polled_; // NORACE
  }

  int finish() {
    thread_.join();
    return polled_; // NORACE
  }

private:
  void run() {
    for (int source : sources_) // NORACE
      poll(source);
  }

  void poll(int source) {
    int wait = interval_ * source; // RACE!
    std::lock_guard<std::mutex> guard(mutex_);
    polled_ += wait >= 0 ? 1 : 0; // NORACE
  }

  std::vector<int> sources_;
  int interval_ = 0;
  std::mutex mutex_;
  int polled_ = 0;
  std::thread thread_;
};

int main() {
  Poller fast(1);
  Poller slow(20);
  int early = fast.polled() + slow.polled();
  return early <= 6 && fast.finish() + slow.finish() == 6 ? 0 : 1;
}
