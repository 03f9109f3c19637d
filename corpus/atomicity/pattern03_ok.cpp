// Pattern 3: an intermediate state is observed. A gauge is marked as unknown before its new value
// is set in the same critical section, so that no reader sees the mark.
#include <cassert>
#include <mutex>
#include <thread>

class Gauge {
public:
  void update(int level) {
    std::unique_lock<std::mutex> guard(mutex_);
    level_ = -1; // NOVIOLATION
    level_ = level; // NOVIOLATION
  }

  int level() {
    std::lock_guard<std::mutex> guard(mutex_);
    return level_; // NOVIOLATION
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
  assert(level >= 0);
}
