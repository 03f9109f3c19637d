// Pattern 1: a value that was read is stale when the update is made. A counter of visitors adds one
// to the value that it read in another critical section, and a reset in between is lost.
#include <cassert>
#include <mutex>
#include <thread>

class Visitors {
public:
  void enter() {
    std::unique_lock<std::mutex> guard(mutex_);
    int count = count_; // VIOLATION: reset/1 first
    guard.unlock();
    ++count;
    guard.lock();
    count_ = count; // VIOLATION: reset/1 second
  }

  void reset() {
    std::lock_guard<std::mutex> guard(mutex_);
    count_ = 0; // VIOLATION: reset/1 intruder
  }

  int count() {
    std::lock_guard<std::mutex> guard(mutex_);
    return count_;
  }

private:
  std::mutex mutex_;
  int count_ = 5;
};

int main() {
  Visitors visitors;
  std::thread door([&] { visitors.enter(); });
  std::thread night([&] { visitors.reset(); });
  door.join();
  night.join();
  assert(visitors.count() <= 1); // EXPECT: assertion
}
