// heddle-corpus: spurious
// A gate that threads wait at until it is opened. The wait is not in a loop, so a spurious wake-up,
// which every condition variable may produce, lets a visitor through the closed gate.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Gate {
public:
  void open() {
    std::lock_guard<std::mutex> guard(mutex_);
    open_ = true;
    opened_.notify_all();
  }

  void pass() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!open_)
      opened_.wait(lock);
    assert(open_); // EXPECT: assertion
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
