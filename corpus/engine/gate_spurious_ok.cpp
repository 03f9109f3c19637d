// heddle-corpus: spurious
// A gate that threads wait at until it is opened. The wait is in a loop that looks at the gate
// again, so a spurious wake-up only means another wait.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Gate {
public:
  void open() {
    std::lock_guard<std::mutex> guard(mutex_);
    open_ = true; // NORACE
    opened_.notify_all();
  }

  void pass() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!open_) // NORACE
      opened_.wait(lock);
    assert(open_);
  }

private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
};

int main() {
  Gate gate;
  std::thread visitor([&] { gate.pass(); });
  std::thread guard([&] { gate.open(); });
  visitor.join();
  guard.join();
}
