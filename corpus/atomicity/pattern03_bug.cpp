// Pattern 3: an intermediate state is observed. A gauge is marked as unknown before its new value
// is set in another critical section, and a reader gets the mark as a value.
#include <cassert>
#include <mutex>
#include <thread>

class Gauge {
public:
  void update(int level) {
    std::unique_lock<std::mutex> guard(mutex_);
    level_ = -1; // VIOLATION: mark/3 first
    guard.unlock();
    guard.lock();
    level_ = level; // VIOLATION: mark/3 second
  }

  int level() {
    std::lock_guard<std::mutex> guard(mutex_);
    return level_; // VIOLATION: mark/3 intruder
  }

private:
  std::mutex mutex_;
  int level_ = 50;
};

int main() {
  Gauge tank;
  int level = 0;
  std::thread sensor([&] { tank.update(60); });
  std::thread panel([&] { level = tank.level(); });
  sensor.join();
  panel.join();
  assert(level >= 0); // EXPECT: assertion
}
